package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.faults.Journal.Tick;
import io.fencedlease.lease.LeaseLostException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever the nodes are doing when their sessions end from outside, work in flight is told and somebody leads
 * again. Method: routes on real contexts; sessions and lock keys of a real Consul destroyed behind their backs.
 */
@NeedsConsul
class SessionLossIT {

    /** Lock-delay, polling it, and what a loaded machine adds. */
    private static final Duration AGAIN = ConsulNode.TIMES.lockDelay().plusSeconds(6);

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

    // M3, T21: camel-consul, T79: lignum#34
    @ParameterizedTest
    @EnumSource(Way.class)
    void theOnlyNodeLeadsAgainAfterItsSessionWasDestroyed(Way way) {
        nodes.leading("a", way);
        long first = nodes.journal.highestToken();

        long destroyed = nodes.destroyHoldersSession();

        eventually().until(() -> nodes.journal.ranAbove(first));
        assertThat(measured("leading again after the session was destroyed", destroyed))
                .isBetween(ConsulNode.TIMES.lockDelay(), AGAIN);
        nodes.journal.assertNoOverlap();
    }

    // M4, T22: camel-consul
    @Test
    void somebodyLeadsAfterTheSessionsOfAllNodesWereDestroyed() {
        nodes.leading("a", Way.POLICY);
        nodes.waiting("b", Way.CONSUMER);
        long first = nodes.journal.highestToken();

        long destroyed = System.nanoTime();
        consul.admin().sessions().forEach(consul.admin()::destroySession);

        eventually().until(() -> nodes.journal.ranAbove(first));
        assertThat(measured("leading again after all sessions were destroyed", destroyed))
                .isLessThan(AGAIN);
        nodes.journal.assertNoOverlap();
    }

    // M5, T23: camel-consul
    @ParameterizedTest
    @EnumSource(Way.class)
    void aHolderWhoseLockKeyIsDeletedDoesNotGoOnWithoutIt(Way way) {
        nodes.leading("a", way);
        nodes.waiting("b", way);
        long first = nodes.journal.highestToken();

        long deleted = System.nanoTime();
        consul.admin().deleteKey(nodes.key());

        eventually().until(() -> nodes.journal.ranAbove(first));
        measured("leading again after the key was deleted", deleted);
        // a deleted key has no lock-delay: only being told ends the earlier tenure
        long next = nodes.journal.highestToken();
        eventually()
                .until(() -> nodes.journal.tokensWithin(Duration.ofMillis(500)).equals(Set.of(next)));
        assertThat(measured("the earlier tenure ending after the key was deleted", deleted))
                .isLessThan(ConsulNode.TIMES.ttl());
        assertThat(nodes.holdingSession()).isNotEmpty();
    }

    // M6, T24: camel-consul
    @ParameterizedTest
    @EnumSource(Way.class)
    void anExchangeInFlightIsToldOfTheLossAtItsNextStep(Way way) throws Exception {
        Busy busy = new Busy();
        ConsulNode a = nodes.node("a").leased(way, "timer:once?repeatCount=1&delay=0", busy::steps);
        a.start();
        busy.awaitBegun();

        long destroyed = nodes.destroyHoldersSession();
        eventually().until(() -> !a.holds());
        assertThat(measured("noticing that the session is gone", destroyed))
                .isLessThan(ConsulNode.TIMES.renewalInterval().plusSeconds(3));
        busy.goOn();

        eventually().until(() -> !nodes.journal.failures("a").isEmpty());
        assertThat(nodes.journal.failures("a").get(0)).isInstanceOf(LeaseLostException.class);
        assertThat(busy.passed()).isZero();
    }

    // T79: lignum#34
    @ParameterizedTest
    @EnumSource(Way.class)
    void aBusyNodeLeadsAgainAsSoonAsItsWorkHasEnded(Way way) throws Exception {
        Busy busy = new Busy();
        nodes.node("a")
                .leased(way, "timer:few?repeatCount=3&period=100&delay=0", busy::steps)
                .start();
        busy.awaitBegun();
        long first = nodes.journal.highestToken();

        nodes.destroyHoldersSession();
        ConsulNodes.during(ConsulNode.TIMES.lockDelay().plusSeconds(1)).until(() -> !nodes.journal.ranAbove(first));
        long ended = System.nanoTime();
        busy.goOn();

        eventually().until(() -> nodes.journal.ranAbove(first));
        assertThat(measured("leading again after the work of the lost tenure ended", ended))
                .isLessThan(AGAIN);
        nodes.journal.assertNoOverlap();
    }

    // T79: lignum#34
    @ParameterizedTest
    @EnumSource(Way.class)
    void aNodeThatIsStartingItsRouteLeadsAgain(Way way) throws Exception {
        Gate gate = new Gate();
        ConsulNode a = nodes.node("a");
        a.context.addComponent("gated", new GatedComponent(gate::pass));
        a.leased(way, "gated:work", route -> route).start();
        gate.awaitArrival();
        String lost = nodes.holdingSession();

        nodes.destroyHoldersSession();
        eventually().until(() -> !a.holds());
        gate.open();

        eventually().until(() -> nodes.journal.ran("a"));
        assertThat(nodes.holdingSession()).isNotEmpty().isNotEqualTo(lost);
        assertThat(nodes.journal.first("a").token())
                .isEqualTo(a.report().tenure().orElseThrow().token().value());
    }

    // T79: lignum#34
    @ParameterizedTest
    @EnumSource(Way.class)
    void aNodeThatIsStoppingStaysStoppedAndAnotherLeads(Way way) throws Exception {
        Busy busy = new Busy();
        ConsulNode a = nodes.node("a").leased(way, "timer:once?repeatCount=1&delay=0", busy::steps);
        a.start();
        busy.awaitBegun();
        nodes.waiting("b", way);
        Thread stopping = new Thread(a.context::stop, "stopping-a");
        stopping.start();
        eventually().until(() -> a.context.isStopping());

        long destroyed = nodes.destroyHoldersSession();
        eventually().until(() -> nodes.journal.ran("b"));
        assertThat(measured("another node leading after the session of a stopping one was destroyed", destroyed))
                .isBetween(ConsulNode.TIMES.lockDelay(), AGAIN);
        busy.goOn();

        stopping.join(20_000);
        assertThat(a.context.isStopped()).isTrue();
        assertThat(busy.passed()).isZero();
        Tick last = nodes.journal.last("a");
        assertThat(last.nanos()).isLessThan(nodes.journal.first("b").nanos());
    }
}
