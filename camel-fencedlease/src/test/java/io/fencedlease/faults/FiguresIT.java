package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goal: the figures of docs/testing.md hold. Method: each is measured several times against a real Consul. */
@NeedsConsul
@Alone
class FiguresIT {

    private static final Logger LOG = LoggerFactory.getLogger(FiguresIT.class);

    private static final int ROUNDS = 9;
    private static final Duration OUTAGE = Duration.ofSeconds(60);

    private static final LeaseSettings TIMES = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(10))
            .renewalInterval(Duration.ofSeconds(1))
            .build();

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    private final String run = UUID.randomUUID().toString();

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
        admin = consul.admin();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @Test
    void aDestroyedSessionIsToldAtOnce() throws Exception {
        Figure figure = new Figure("session destroyed, told, 1 lease", Duration.ofMillis(100));
        try (Leases leases = leases(consul.url(), TIMES)) {
            for (int i = 0; i < ROUNDS; i++) {
                LeaseName name = new LeaseName(run + ".told." + i); // a new one has no lock-delay
                Lease lease = hold(leases.acquire(name));
                CompletableFuture<Long> told = toldAt(lease);
                TimeUnit.MILLISECONDS.sleep(600); // until the wake-ups of its own acquisition are over
                String session = admin.entry("fencedlease/leases/" + name)
                        .orElseThrow()
                        .path("Session")
                        .asText();
                long destroyed = System.nanoTime();
                admin.destroySession(session);
                figure.measured(destroyed, told.get(60, TimeUnit.SECONDS));
                lease.close();
            }
        }
        figure.hold();
    }

    /** Each node behind a network of its own, cut at a moment of its own. */
    @Test
    void aHolderThatIsCutOffIsToldAndHasStoppedInTime() throws Exception {
        Figure told = new Figure(
                "cut off, told, after the last renewal was sent", TIMES.ttl().minus(TIMES.lossStopTimeout()));
        Figure stopped = new Figure("cut off, route stopped, after the last renewal was sent", TIMES.ttl());
        List<CompletableFuture<Void>> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int round = i;
            rounds.add(CompletableFuture.runAsync(() -> cutOff(round, told)));
            rounds.add(CompletableFuture.runAsync(() -> cutOffRoute(stopped)));
        }
        CompletableFuture.allOf(rounds.toArray(CompletableFuture[]::new)).get(180, TimeUnit.SECONDS);
        told.hold();
        stopped.hold();
    }

    private void cutOff(int round, Figure figure) {
        try (TcpProxy network = new TcpProxy(consul.httpPort());
                Leases leases = leases(network.url(), TIMES)) {
            AtomicLong renewed = renewals(network);
            CompletableFuture<Long> told = toldAt(hold(leases.acquire(new LeaseName(run + ".cut." + round))));
            eventually().until(() -> renewed.get() != 0);
            network.hang();
            long last = renewed.get();
            figure.measured(last, told.get(60, TimeUnit.SECONDS));
            network.heal();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void cutOffRoute(Figure figure) {
        try (ConsulNodes nodes = new ConsulNodes(consul)) {
            ConsulNode node = nodes.node("a").times(TIMES).ticking(Way.POLICY);
            AtomicLong renewed = renewals(node.network);
            node.start();
            eventually().until(() -> nodes.journal.ran("a") && renewed.get() != 0);
            node.network.hang();
            long last = renewed.get();
            eventually().pollInterval(Duration.ofMillis(5)).until(() -> node.routeStatus()
                    .isStopped());
            figure.measured(last, System.nanoTime());
        }
    }

    /** When the last request to renew came to the proxy. */
    private static AtomicLong renewals(TcpProxy network) {
        AtomicLong last = new AtomicLong();
        network.onRequest(line -> {
            if (line.contains("/v1/session/renew/")) {
                last.set(System.nanoTime());
            }
        });
        return last;
    }

    @Test
    void aPlannedStopHandsOverAtOnce() {
        Figure figure = new Figure("planned stop returned, first exchange on the next node", Duration.ofMillis(300));
        try (ConsulNodes nodes = new ConsulNodes(consul)) {
            nodes.leading("n0", Way.CONSUMER);
            for (int i = 1; i < ROUNDS; i++) {
                String next = "n" + i;
                nodes.waiting(next, i % 2 == 0 ? Way.CONSUMER : Way.POLICY);
                nodes.stop("n" + (i - 1));
                long stopped = System.nanoTime();
                eventually().until(() -> nodes.journal.ran(next));
                figure.measured(stopped, nodes.journal.first(next).nanos());
            }
            nodes.journal.assertNoOverlap();
        }
        figure.hold();
    }

    // T45: jetcd#1134
    @Test
    void refusedConnectionsCostFewRequestsAndLittleCpu() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort());
                Leases other = leases(consul.url(), LeaseSettings.defaults());
                Leases leases = leases(proxy.url(), LeaseSettings.defaults())) {
            acquire(other, "waited-for").forEach(FiguresIT::hold);
            acquire(leases, "held").forEach(FiguresIT::hold);
            acquire(leases, "waited-for");
            eventually()
                    .until(() -> leases.reports().stream()
                                    .filter(report -> report.holder().isPresent())
                                    .count()
                            == 50);

            OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            proxy.cut();
            int connections = proxy.connections();
            long cpu = process.getProcessCpuTime();
            TimeUnit.NANOSECONDS.sleep(OUTAGE.toNanos());
            double requests = (double) (proxy.connections() - connections) / OUTAGE.toSeconds();
            double percent = 100.0 * (process.getProcessCpuTime() - cpu) / OUTAGE.toNanos();
            proxy.heal();

            LOG.info("figure: refused for {}: {} requests a second, allowed 2", OUTAGE, requests);
            LOG.info("figure: refused for {}: {} % of a core, allowed 5", OUTAGE, percent);
            assertThat(requests).isLessThan(2);
            assertThat(percent).isLessThan(5);
        }
    }

    private List<CompletableFuture<Lease>> acquire(Leases leases, String what) {
        return IntStream.range(0, 50)
                .mapToObj(i -> leases.acquire(new LeaseName(run + "." + what + "." + i)))
                .toList();
    }

    private static Lease hold(CompletableFuture<Lease> asked) {
        return asked.orTimeout(120, TimeUnit.SECONDS).join();
    }

    private static CompletableFuture<Long> toldAt(Lease lease) {
        return lease.lost().thenApply(reason -> System.nanoTime()).toCompletableFuture();
    }

    private static Leases leases(URI url, LeaseSettings times) {
        ConsulSettings settings =
                ConsulSettings.builder().address(url.toString()).build();
        return Leases.builder(new ConsulBackend(settings)).settings(times).build();
    }
}
