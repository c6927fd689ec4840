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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: neither many leases nor many losses wear a process out. Method: the core alone on a real Consul. */
@NeedsConsul
class EnduranceIT {

    private static final int LEASES = 300;

    private static ConsulProcess consul;

    private final String run = UUID.randomUUID().toString();

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.startDenyingByDefault();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

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

    @Test
    void attemptsThatFailShareOneSession() throws Exception {
        String mayNotWrite = consul.admin()
                .createToken("session_prefix \"\" { policy = \"write\" } key_prefix \"\" { policy = \"read\" }");
        try (Leases leases = leases(consul.url(), mayNotWrite)) {
            List<String> before = consul.admin().sessions();
            List<LeaseName> names = IntStream.range(0, 100)
                    .mapToObj(i -> new LeaseName(run + ".refused." + i))
                    .toList();
            names.forEach(leases::acquire);

            long begun = System.nanoTime();
            eventually().until(() -> names.stream()
                    .allMatch(name -> leases.report(name).problem().orElse("").contains("key:write")));
            eventually().until(() -> {
                assertThat(consul.admin().sessions().size() - before.size()).isEqualTo(1);
                return Journal.since(begun).toSeconds() > 5;
            });
        }
        assertThat(consul.admin().sessions()).hasSizeLessThanOrEqualTo(1);
    }

    /** Four settings groups, so that the lock-delays of four losses pass at once. */
    @Test
    void aProcessHoldsAgainAfterEachOfAHundredForcedLosses() {
        try (Leases leases = leases(consul.url(), consul.managementToken())) {
            long begun = System.nanoTime();
            List<CompletableFuture<Long>> losers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                LeaseName name = new LeaseName(run + ".lost." + i);
                LeaseSettings settings = shortest(i);
                losers.add(CompletableFuture.supplyAsync(() -> loseAndHoldAgain(leases, name, settings, 25)));
            }
            losers.forEach(CompletableFuture::join);
            measured("100 forced losses", begun);
            assertThat(leases.reports())
                    .allSatisfy(report -> assertThat(report.problem()).isEmpty());
        }
    }

    private static long loseAndHoldAgain(Leases leases, LeaseName name, LeaseSettings settings, int times) {
        long token = 0;
        for (int i = 0; i <= times; i++) {
            Lease lease = leases.acquire(name, settings)
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(lease.token().value()).isGreaterThan(token);
            token = lease.token().value();
            if (i < times) {
                destroySessionOf(name);
                lease.lost()
                        .toCompletableFuture()
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
            }
            lease.close();
        }
        return token;
    }

    private static void destroySessionOf(LeaseName name) {
        ConsulAdmin admin = consul.admin();
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
