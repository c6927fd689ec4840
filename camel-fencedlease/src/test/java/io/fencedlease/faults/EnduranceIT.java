package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goal: neither many leases nor many losses wear a process out. Method: the core alone on a real Consul. */
@NeedsConsul
class EnduranceIT {

    private static final Logger LOG = LoggerFactory.getLogger(EnduranceIT.class);
    private static final int LEASES = 300;
    private static final int CYCLES = 500;
    private static final int GROUPS = 20;
    /** Two watches and two calls a group, the client keeps them for a while; each is two sockets of the proxy. */
    private static final int MOST_SOCKETS = 2 * 4 * GROUPS;

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    private final String run = UUID.randomUUID().toString();
    private final ExecutorService lanes = Executors.newFixedThreadPool(GROUPS);

    @AfterEach
    void stopLanes() {
        lanes.shutdownNow();
    }

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.startDenyingByDefault();
        admin = consul.admin();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    // T75: hashicorp/consul#7527, T76: rickfast/consul-client#211
    @Test
    void threeHundredLeasesNeedAHandfulOfConnections() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort());
                Leases leases = leases(proxy.url(), consul.managementToken())) {
            long asked = System.nanoTime();
            List<CompletableFuture<Lease>> futures = IntStream.range(0, LEASES)
                    .mapToObj(i -> leases.acquire(new LeaseName(run + "." + i)))
                    .toList();
            int[] most = {0};
            eventually().atMost(Duration.ofMinutes(3)).until(() -> {
                most[0] = Math.max(most[0], proxy.sockets());
                return futures.stream().allMatch(CompletableFuture::isDone);
            });
            measured(LEASES + " leases acquired", asked);
            long held = System.nanoTime();
            eventually().until(() -> {
                most[0] = Math.max(most[0], proxy.sockets());
                return Journal.since(held)
                                .compareTo(ConsulNode.TIMES.renewalInterval().multipliedBy(4))
                        > 0;
            });

            futures.forEach(future -> future.join().ensureHeld());
            // two watches, a renewal, another call; each is two sockets of the proxy, and one may just be changing
            assertThat(most[0]).isLessThanOrEqualTo(2 * 6);
        }
    }

    // T36: hazelcast#17697
    @Test
    void attemptsThatFailShareOneSession() throws Exception {
        String mayNotWrite =
                admin.createToken("session_prefix \"\" { policy = \"write\" } key_prefix \"\" { policy = \"read\" }");
        try (Leases leases = leases(consul.url(), mayNotWrite)) {
            List<String> before = admin.sessions();
            List<LeaseName> names = IntStream.range(0, 100)
                    .mapToObj(i -> new LeaseName(run + ".refused." + i))
                    .toList();
            names.forEach(leases::acquire);

            long begun = System.nanoTime();
            eventually().until(() -> names.stream()
                    .allMatch(name -> leases.report(name).problem().orElse("").contains("key:write")));
            eventually().until(() -> {
                assertThat(admin.sessions().size() - before.size()).isEqualTo(1);
                return Journal.since(begun).toSeconds() > 5;
            });
        }
        assertThat(admin.sessions()).hasSizeLessThanOrEqualTo(1);
    }

    /** Twenty settings groups, so that the lock-delays of twenty losses pass at once. */
    // T64: java#714
    @Test
    void aProcessHoldsAgainAfterEachOfFiveHundredForcedLossesAndNothingIsLeft() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort());
                Leases leases = leases(proxy.url(), consul.managementToken())) {
            loseAndHoldAgain(leases, 2);
            int sessions = admin.sessions().size();
            int threads = ourThreads();
            int sockets = proxy.sockets();

            long begun = System.nanoTime();
            loseAndHoldAgain(leases, CYCLES / GROUPS);
            measured(CYCLES + " forced losses", begun);

            assertThat(leases.reports())
                    .allSatisfy(report -> assertThat(report.problem()).isEmpty());
            eventually().untilAsserted(() -> {
                assertThat(admin.sessions()).hasSizeLessThanOrEqualTo(sessions);
                assertThat(ourThreads()).as("threads").isLessThanOrEqualTo(threads);
                assertThat(proxy.sockets()).as("sockets").isLessThanOrEqualTo(MOST_SOCKETS);
            });
            LOG.info(
                    "measured: after {} gain/loss cycles {} threads (before {}), {} sockets ({}), {} sessions ({})",
                    CYCLES,
                    ourThreads(),
                    threads,
                    proxy.sockets(),
                    sockets,
                    admin.sessions().size(),
                    sessions);
        }
    }

    /** Of the leases and their HTTP client; idle ones end by themselves. */
    private static int ourThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fencedlease")
                        || thread.getName().startsWith("HttpClient"))
                .count();
    }

    private void loseAndHoldAgain(Leases leases, int times) {
        List<CompletableFuture<Void>> losers = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            LeaseName name = new LeaseName(run + ".lost." + i);
            LeaseSettings settings = shortest(i);
            losers.add(CompletableFuture.runAsync(() -> loseAndHoldAgain(leases, name, settings, times), lanes));
        }
        losers.forEach(CompletableFuture::join);
    }

    private static void loseAndHoldAgain(Leases leases, LeaseName name, LeaseSettings settings, int times) {
        long token = 0;
        for (int i = 0; i < times; i++) {
            Lease lease = hold(leases.acquire(name, settings));
            assertThat(lease.token().value()).isGreaterThan(token);
            token = lease.token().value();
            destroySessionOf(name);
            lease.lost().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
            lease.close();
        }
        hold(leases.acquire(name, settings)).close();
    }

    private static Lease hold(CompletableFuture<Lease> asked) {
        return asked.orTimeout(60, TimeUnit.SECONDS).join();
    }

    // T65: fabric8#4477
    @Test
    void whoStandsDownHandsOverWithinTwoSecondsAndDoesNotWinAgainAtOnce() {
        LeaseName name = new LeaseName(run + ".step.down");
        try (Leases a = leases(consul.url(), consul.managementToken());
                Leases b = leases(consul.url(), consul.managementToken())) {
            for (int i = 0; i < 3; i++) {
                Lease first = hold(a.acquire(name));
                CompletableFuture<Lease> next = b.acquire(name);
                eventually().until(() -> b.report(name).holder().isPresent());

                long asked = System.nanoTime();
                first.standDown("asked to by a person");
                first.close();
                CompletableFuture<Lease> again = a.acquire(name);
                Lease ofB = hold(next);

                assertThat(measured("from standing down to the next holder", asked))
                        .isLessThan(Duration.ofSeconds(2));
                assertThat(again).isNotDone();
                again.cancel(false);
                ofB.close();
            }
        }
    }

    // T29: CURATOR-15
    @Test
    void whoeverInterruptsOurThreadsCostsNothing() {
        LeaseName name = new LeaseName(run + ".interrupted");
        try (Leases leases = leases(consul.url(), consul.managementToken())) {
            Lease lease = hold(leases.acquire(name));
            for (int i = 0; i < 5; i++) {
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("fencedlease")
                                || thread.getName().startsWith("HttpClient"))
                        .forEach(Thread::interrupt);
                lease.confirm()
                        .toCompletableFuture()
                        .handle((ours, unknown) -> ours)
                        .join();
            }
            long interrupted = System.nanoTime();
            eventually().until(() -> {
                lease.ensureHeld();
                return Journal.since(interrupted).compareTo(ConsulNode.TIMES.ttl()) > 0;
            });
            assertThat(leases.report(name).problem()).isEmpty();
        }
    }

    private static void destroySessionOf(LeaseName name) {
        admin.entry("fencedlease/leases/" + name)
                .map(entry -> entry.path("Session").asText(""))
                .filter(session -> !session.isEmpty())
                .ifPresent(admin::destroySession);
    }

    private static LeaseSettings shortest(int group) {
        return LeaseSettings.builder("*")
                .ttl(Duration.ofSeconds(4))
                .renewalInterval(Duration.ofMillis(200))
                .attemptLimit(Duration.ofMillis(400))
                .lossStopTimeout(Duration.ofMillis(100))
                .lockDelay(Duration.ofMillis(700))
                .startTimeout(Duration.ofSeconds(10 + group))
                .build();
    }

    private static Leases leases(URI url, String token) {
        ConsulSettings settings =
                ConsulSettings.builder().address(url.toString()).token(token).build();
        return Leases.builder(new ConsulBackend(settings))
                .settings(ConsulNode.TIMES)
                .build();
    }
}
