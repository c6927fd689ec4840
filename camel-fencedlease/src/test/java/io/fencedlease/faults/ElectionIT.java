package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Goal: an election of Consul's servers costs no lease that renewals can save, and hands none to two. Method: three real
 * servers, killed, restarted and frozen. {@code -DraftMultiplier=5 -Dfrozen=PT60S} is the long form, with Consul's own
 * times.
 */
@NeedsConsul
class ElectionIT {

    private static final int RAFT_MULTIPLIER = Integer.getInteger("raftMultiplier", 1);
    private static final Duration FROZEN = Duration.parse(System.getProperty("frozen", "PT12S"));

    private static final LeaseSettings TIMES = RAFT_MULTIPLIER > 1
            ? LeaseSettings.builder("*").ttl(Duration.ofSeconds(45)).build()
            : LeaseSettings.builder("*")
                    .ttl(Duration.ofSeconds(20))
                    .renewalInterval(Duration.ofSeconds(1))
                    .attemptLimit(Duration.ofMillis(1500))
                    .lockDelay(Duration.ofSeconds(5))
                    .build();

    private static ConsulCluster consul;

    private final String run = UUID.randomUUID().toString();
    private final List<Leases> nodes = new ArrayList<>();

    @BeforeAll
    static void startConsul() {
        consul = ConsulCluster.start(RAFT_MULTIPLIER);
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(Leases::close);
    }

    // T67: hashicorp/consul#1162
    @Test
    void serversRestartedOneByOneCostNoTenure() {
        Lease held = hold(node("a").acquire(name(0)));
        CompletableFuture<Lease> other = node("b").acquire(name(0));

        for (int i = 0; i < 3; i++) {
            consul.restart(i);
            consul.leader();
            confirmedEventually(held);
        }

        held.ensureHeld();
        assertThat(other).isNotDone();
    }

    // T70: hashicorp/consul#5437
    @Test
    void anElectionShorterThanTheTtlCostsNoTenure() {
        Lease held = hold(node("a").acquire(name(0)));
        CompletableFuture<Lease> other = node("b").acquire(name(0));

        long killed = System.nanoTime();
        int leader = consul.killLeader();
        consul.leader();
        measured("an election", killed);
        confirmedEventually(held);

        held.ensureHeld();
        assertThat(other).isNotDone();
        consul.restart(leader);
    }

    private static void confirmedEventually(Lease lease) {
        eventually().until(() -> {
            lease.ensureHeld();
            return Boolean.TRUE.equals(lease.confirm()
                    .toCompletableFuture()
                    .handle((ours, unknown) -> ours)
                    .get(60, TimeUnit.SECONDS));
        });
    }

    // T30: CURATOR-104
    @Test
    void everyOneOfFiftyLeasesHasAHolderAfterAnElectionAndTheEndOfANode() {
        Leases a = node("a");
        List<CompletableFuture<Lease>> ofA = acquireFifty(a);
        ofA.forEach(ElectionIT::hold);
        List<CompletableFuture<Lease>> ofB = acquireFifty(node("b"));
        eventually().until(() -> nodes.get(1).reports().stream()
                .allMatch(report -> report.holder().isPresent()));

        consul.restart(consul.killLeader());
        consul.leader();
        long ended = System.nanoTime();
        a.close();

        ofB.forEach(ElectionIT::hold);
        assertThat(measured("fifty leases have a new holder", ended))
                .isLessThan(TIMES.failoverBound().plusSeconds(30));
        assertThat(nodes.get(1).reports()).extracting(LeaseReport::state).containsOnly(LeaseReport.State.HOLDING);
    }

    // T42: etcd#15247
    @Test
    void aFrozenRaftLeaderLeavesEachLeaseBelievedByOneNodeAtMost() {
        List<CompletableFuture<Lease>> ofA = acquireFifty(node("a"));
        ofA.forEach(ElectionIT::hold);
        List<CompletableFuture<Lease>> ofB = acquireFifty(node("b"));

        consul.freezeLeader();
        long frozen = System.nanoTime();
        eventually().atMost(FROZEN.plusSeconds(60)).until(() -> {
            for (int i = 0; i < ofA.size(); i++) {
                assertThat(bothBelieve(ofA.get(i), ofB.get(i)))
                        .as("lease %d", i)
                        .isFalse();
            }
            return Journal.since(frozen).compareTo(FROZEN) > 0;
        });
        consul.thaw();

        for (int i = 0; i < ofA.size(); i++) {
            Lease first = ofA.get(i).join();
            if (believes(ofA.get(i))) {
                assertThat(ofB.get(i)).isNotDone();
            } else {
                assertThat(first.lost().toCompletableFuture()).isDone();
                first.close();
                assertThat(hold(ofB.get(i)).token()).isGreaterThan(first.token());
            }
        }
    }

    /** The first is asked again, for it may have lost in between. */
    private static boolean bothBelieve(CompletableFuture<Lease> first, CompletableFuture<Lease> second) {
        return believes(first) && believes(second) && believes(first);
    }

    private static boolean believes(CompletableFuture<Lease> asked) {
        if (!asked.isDone()) {
            return false;
        }
        try {
            asked.join().ensureHeld();
            return true;
        } catch (LeaseLostException lost) {
            return false;
        }
    }

    private LeaseName name(int i) {
        return new LeaseName(run + "." + i);
    }

    private List<CompletableFuture<Lease>> acquireFifty(Leases leases) {
        return IntStream.range(0, 50).mapToObj(i -> leases.acquire(name(i))).toList();
    }

    private static Lease hold(CompletableFuture<Lease> asked) {
        return asked.orTimeout(180, TimeUnit.SECONDS).join();
    }

    private Leases node(String holder) {
        ConsulSettings.Builder settings = ConsulSettings.builder();
        consul.urls().forEach(url -> settings.address(url.toString()));
        Leases node = Leases.builder(new ConsulBackend(settings.build()))
                .settings(TIMES)
                .holder(holder)
                .build();
        nodes.add(node);
        return node;
    }
}
