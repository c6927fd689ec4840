package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: an outage of Consul never makes two leaders, and never leaves none. Method: the real one killed and restarted. */
@NeedsConsul
class ConsulOutageIT {

    /** What a loaded machine adds. */
    private static final Duration LOAD = Duration.ofSeconds(5);

    private static ConsulProcess consul;

    private ConsulNodes nodes;

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @BeforeEach
    void open() {
        nodes = new ConsulNodes(consul);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    // M1, T19: camel-consul
    @Test
    void anOutageShorterThanTheTtlCostsNothingAndWhoJoinsLaterWaits() {
        LeaseSettings patient = LeaseSettings.builder("*")
                .ttl(Duration.ofSeconds(20))
                .renewalInterval(Duration.ofSeconds(1))
                .build();
        List<ConsulNode> all = List.of(
                nodes.node("a").times(patient).ticking(Way.POLICY),
                nodes.node("b").times(patient).ticking(Way.CONSUMER),
                nodes.node("c").times(patient).ticking(Way.POLICY));
        all.get(0).start();
        eventually().until(() -> nodes.journal.ran("a"));
        all.get(1).start();
        long token = nodes.journal.highestToken();

        consul.kill();
        ConsulNodes.during(Duration.ofSeconds(4)).until(all.get(0)::holds);
        consul.restart();
        all.get(2).start();

        eventually().until(all.get(2)::knowsHolder);
        ConsulNodes.during(Duration.ofSeconds(2))
                .until(() -> nodes.journal.tokensWithin(Duration.ofMillis(500)).size() == 1);
        assertThat(nodes.journal.highestToken()).isEqualTo(token);

        // each watch has survived: who waits notices at once
        handOver("a");
        String second = nodes.journal.ran("b") ? "b" : "c";
        handOver(second);
        assertThat(nodes.journal.ran("b")).isTrue();
        assertThat(nodes.journal.ran("c")).isTrue();
        nodes.journal.assertNoOverlap();
    }

    /** Stops a node that leads; another one runs soon, far sooner than lock-delay or a slow poll. */
    private void handOver(String leader) {
        long token = nodes.journal.highestToken();
        nodes.stop(leader);
        long last = nodes.journal.last(leader).nanos();
        eventually().until(() -> nodes.journal.ranAbove(token));
        assertThat(measured(
                        "hand-over after an outage",
                        last,
                        nodes.journal.firstAfter(last).nanos()))
                .isLessThan(Duration.ofSeconds(3));
    }

    // M2, T20: camel-consul
    @Test
    void anOutageOfTwoTtlsStopsTheHolderInTimeAndAfterwardsEachNodeCanLead() {
        ConsulNode a = nodes.leading("a", Way.POLICY);
        nodes.waiting("b", Way.CONSUMER);
        long token = nodes.journal.highestToken();

        long cut = System.nanoTime();
        consul.kill();
        eventually().until(() -> a.routeStatus().isStopped());
        assertThat(measured("from the outage to the stopped route", cut)).isLessThan(ConsulNode.TIMES.ttl());
        long stopped = System.nanoTime();
        ConsulNodes.during(ConsulNode.TIMES.ttl().multipliedBy(2))
                .until(() -> a.routeStatus().isStopped());
        consul.restart();

        long up = System.nanoTime();
        eventually().until(() -> nodes.journal.ranAfter("a", stopped) || nodes.journal.ran("b"));
        assertThat(measured("leading again after an outage of two TTLs", up))
                .isLessThan(ConsulNode.TIMES.failoverBound().plus(LOAD));
        String leader = nodes.journal.firstAfter(stopped).node();
        handOver(leader);
        assertThat(nodes.journal.highestToken()).isGreaterThan(token);
        assertThat(nodes.journal.ran("b")).isTrue();
        nodes.journal.assertNoOverlap();
    }

    // T28: CURATOR-110
    @Test
    void withoutConsulAtStartUpNodesStartAndOneLeadsOnceItIsThere() {
        consul.kill();
        long starting = System.nanoTime();
        ConsulNode a = nodes.ticking("a", Way.CONSUMER);
        nodes.ticking("b", Way.POLICY);
        assertThat(measured("start of two contexts without Consul", starting)).isLessThan(LOAD);
        eventually().until(() -> a.problem().contains("no session at"));
        assertThat(nodes.journal.highestToken()).isZero();

        consul.restart();
        long up = System.nanoTime();

        eventually().until(() -> nodes.journal.highestToken() > 0);
        assertThat(measured("leading after Consul came up", up)).isLessThan(ConsulNode.TIMES.failoverBound());
        ConsulNodes.during(Duration.ofSeconds(2)).until(() -> !nodes.journal.ran("a") || !nodes.journal.ran("b"));
        assertThat(a.problem()).isEmpty();
    }
}
