package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.faults.TcpProxy;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.LossReason;
import io.fencedlease.lease.LossReason.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes, a real Consul, and what has broken other clients of it: each with the opposite outcome. */
@NeedsConsul
class ConsulLeasesIT {

    private static final LeaseSettings TIMES = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(6))
            .renewalInterval(Duration.ofSeconds(1))
            .attemptLimit(Duration.ofSeconds(1))
            .lossStopTimeout(Duration.ofMillis(600))
            .lockDelay(Duration.ofSeconds(3))
            .build();

    /** Consul keeps a session for twice its TTL; the rest is for a machine that has other things to do. */
    private static final Duration FAILOVER = TIMES.failoverBound().plusSeconds(15);

    private final LeaseName name = new LeaseName("it-" + UUID.randomUUID());
    private final List<Leases> nodes = new ArrayList<>();
    private ConsulProcess consul;

    @BeforeEach
    void start() {
        consul = ConsulProcess.start();
    }

    @AfterEach
    void stop() {
        nodes.forEach(Leases::close);
        consul.close();
    }

    /** M3: the only node's session is destroyed from outside. */
    @Test
    void aDestroyedSessionIsALossAndThenTheNodeLeadsAgain() throws Exception {
        Leases node = node("a", consul.url());
        Lease first = lead(node);

        destroyAllSessions();

        assertThat(lost(first).kind()).as("whichever answer came first").isIn(Kind.SESSION_GONE, Kind.LEASE_TAKEN);
        assertThatThrownBy(first::ensureHeld).isInstanceOf(LeaseLostException.class);
        first.close();
        assertThat(lead(node).token()).isGreaterThan(first.token());
    }

    /** M4: the sessions of all nodes are destroyed. */
    @Test
    void afterAllSessionsWereDestroyedSomebodyLeads() throws Exception {
        Leases a = node("a", consul.url());
        Lease first = lead(a);
        CompletableFuture<Lease> ofB = node("b", consul.url()).acquire(name);

        destroyAllSessions();
        lost(first);
        first.close();
        CompletableFuture<Lease> ofA = a.acquire(name);

        Lease next = (Lease) CompletableFuture.anyOf(ofA, ofB).get(FAILOVER.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(first.token());
    }

    /** M5: the lock's key is deleted while held; the session goes on and so would a client that looks no further. */
    @Test
    void aDeletedKeyIsALossThoughTheSessionLives() throws Exception {
        Leases node = node("a", consul.url());
        Lease first = lead(node);

        consul.admin().deleteKey("fencedlease/leases/" + name);

        assertThat(lost(first).kind()).isEqualTo(Kind.LEASE_TAKEN);
        first.close();
        assertThat(lead(node).token()).isGreaterThan(first.token());
    }

    @Test
    void aStrangersWriteEndsTheTenureInOrder() throws Exception {
        Leases node = node("a", consul.url());
        Lease first = lead(node);

        consul.admin().put("fencedlease/leases/" + name, "mine!");

        assertThat(lost(first).kind()).isEqualTo(Kind.ENTRY_MOVED);
        first.close();
        assertThat(lead(node).token()).isGreaterThan(first.token());
    }

    /** M1: away for less than the lease lasts. */
    @Test
    void aShortAbsenceOfConsulCostsNothing() throws Exception {
        Lease held = lead(node("a", consul.url()));

        consul.freeze();
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
        consul.thaw();
        CompletableFuture<Lease> other = node("b", consul.url()).acquire(name);

        await().during(TIMES.ttl().plusSeconds(1))
                .atMost(FAILOVER)
                .until(() -> held.lossReason().isEmpty() && !other.isDone());
        held.ensureHeld();
    }

    /** M2: away for longer than twice the TTL. */
    @Test
    void aLongAbsenceOfConsulIsALossByTheDeadlineAndOverWhenItIsBack() throws Exception {
        Leases node = node("a", consul.url());
        Lease first = lead(node);
        long cut = System.nanoTime();

        consul.kill();

        assertThat(lost(first).kind()).isEqualTo(Kind.DEADLINE_PASSED);
        assertThat(Duration.ofNanos(System.nanoTime() - cut))
                .isLessThan(TIMES.ttl().plusSeconds(3));
        first.close();
        CompletableFuture<Lease> next = node.acquire(name);
        consul.restart();
        assertThat(next.get(FAILOVER.toSeconds(), TimeUnit.SECONDS).token()).isGreaterThan(first.token());
    }

    /** T01: the holder is cut off, silently; another node can reach Consul. */
    @Test
    void aHolderWhoseRenewalsHangHasLostBeforeAnotherNodeHolds() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort())) {
            Lease first = lead(node("a", proxy.url()));
            CompletableFuture<Lease> other = node("b", consul.url()).acquire(name);
            CompletableFuture<Boolean> lostBefore = other.thenApply(next -> {
                try {
                    first.ensureHeld();
                    return false;
                } catch (LeaseLostException lost) {
                    return true;
                }
            });

            proxy.hang();

            assertThat(lost(first).kind()).isEqualTo(Kind.DEADLINE_PASSED);
            assertThat(other.get(FAILOVER.toSeconds(), TimeUnit.SECONDS).token())
                    .isGreaterThan(first.token());
            assertThat(lostBefore.join()).isTrue();
        }
    }

    /** M7, T62: a planned end costs the next node no lock-delay. */
    @Test
    void aClosedLeaseIsTheNextNodesAtOnce() throws Exception {
        Lease first = lead(node("a", consul.url()));
        CompletableFuture<Lease> other = node("b", consul.url()).acquire(name);
        await().during(Duration.ofSeconds(1)).until(() -> !other.isDone());
        long closed = System.nanoTime();

        first.close();

        other.get(FAILOVER.toSeconds(), TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(TIMES.lockDelay());
    }

    /** T28: Consul comes later than we. */
    @Test
    void anAbsentConsulAtTheStartIsWaitedFor() throws Exception {
        consul.kill();
        CompletableFuture<Lease> lease = node("a", consul.url()).acquire(name);
        await().during(Duration.ofSeconds(2)).until(() -> !lease.isDone());

        consul.restart();

        assertThat(lease.get(FAILOVER.toSeconds(), TimeUnit.SECONDS).token().value())
                .isPositive();
    }

    /** T31, T35: the cluster begins anew, and has come past the first token; else it is a token regression. */
    // T31: CURATOR-724, T35: hazelcast#17436
    @Test
    void aWipedClusterIsALossAndThenTheNodeLeadsAgain() throws Exception {
        Leases node = node("a", consul.url());
        Lease first = lead(node);

        consul.restartEmpty();

        lost(first);
        first.close();
        for (long i = 0; i <= first.token().value(); i++) {
            consul.admin().put("counts-up", "" + i);
        }
        assertThat(lead(node).token()).isGreaterThan(first.token());
    }

    /** T36, T75: many leases in one process are one session and a handful of connections. */
    @Test
    void aHundredLeasesAreOneSessionAndFewConnections() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort())) {
            LeaseSettings roomy = LeaseSettings.defaults();
            Leases node = node("a", proxy.url(), roomy);
            List<CompletableFuture<Lease>> all = IntStream.range(0, 100)
                    .mapToObj(i -> node.acquire(new LeaseName(name + "." + i)))
                    .toList();
            for (CompletableFuture<Lease> each : all) {
                each.get(120, TimeUnit.SECONDS).ensureHeld();
            }

            assertThat(consul.admin().sessions()).hasSize(1);
            assertThat(proxy.sockets() / 2).isLessThan(10);
            await().during(TIMES.ttl().multipliedBy(2)).atMost(FAILOVER).until(() -> all.stream()
                    .allMatch(each -> each.join().lossReason().isEmpty()));
            assertThat(proxy.sockets() / 2).isLessThan(10);
            node.close();
        }
    }

    private Leases node(String holder, URI url) {
        return node(holder, url, TIMES);
    }

    private Leases node(String holder, URI url, LeaseSettings times) {
        ConsulSettings settings =
                ConsulSettings.builder().address(url.toString()).build();
        Leases node = Leases.builder(new ConsulBackend(settings))
                .settings(times)
                .holder(holder)
                .build();
        nodes.add(node);
        return node;
    }

    private Lease lead(Leases node) throws Exception {
        return node.acquire(name).get(FAILOVER.toSeconds(), TimeUnit.SECONDS);
    }

    private static LossReason lost(Lease lease) throws Exception {
        return lease.lost().toCompletableFuture().get(FAILOVER.toSeconds(), TimeUnit.SECONDS);
    }

    private void destroyAllSessions() {
        ConsulAdmin admin = consul.admin();
        admin.sessions().forEach(admin::destroySession);
    }
}
