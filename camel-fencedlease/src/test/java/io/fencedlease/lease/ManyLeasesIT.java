package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.Alone;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.Figure;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: the number of leases costs neither threads nor sessions. Method: many leases in one JVM, a real Consul. */
@NeedsConsul
@Alone
class ManyLeasesIT {

    private static final int LEASES = 1_000;

    @Test
    void aThousandLeasesShareOneSessionAndAHandfulOfThreadsAndAllMoveToTheNextNode() {
        try (ConsulProcess consul = ConsulProcess.start();
                Leases a = node(consul, "a");
                Leases b = node(consul, "b")) {
            int threadsBefore = Thread.activeCount();
            List<Lease> held =
                    acquireAll(a).stream().map(CompletableFuture::join).toList();
            List<CompletableFuture<Lease>> next = acquireAll(b);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> b.reports().stream()
                                    .filter(r -> r.holder().isPresent())
                                    .count()
                            == LEASES);
            assertThat(consul.admin().sessions()).hasSize(2);
            assertThat(Thread.activeCount() - threadsBefore).isLessThan(60);
            held.forEach(Lease::ensureHeld);

            held.forEach(Lease::close);

            await().atMost(Duration.ofSeconds(120)).until(() -> next.stream().allMatch(CompletableFuture::isDone));
            for (int i = 0; i < LEASES; i++) {
                assertThat(next.get(i).join().token()).isGreaterThan(held.get(i).token());
            }
            allAreToldOfTheEndOfTheirSession(
                    consul, next.stream().map(CompletableFuture::join).toList());
        }
    }

    private static void allAreToldOfTheEndOfTheirSession(ConsulProcess consul, List<Lease> held) {
        Figure figure = new Figure("session destroyed, told, each of 1,000 leases", Duration.ofMillis(100));
        List<CompletableFuture<Long>> told = held.stream()
                .map(lease ->
                        lease.lost().thenApply(reason -> System.nanoTime()).toCompletableFuture())
                .toList();
        String session = consul.admin()
                .entry("fencedlease/leases/lease-0")
                .orElseThrow()
                .path("Session")
                .asText();
        consul.admin().destroySession(session);
        long destroyed = System.nanoTime();
        told.forEach(each ->
                figure.measured(destroyed, each.orTimeout(60, TimeUnit.SECONDS).join()));
        figure.hold();
    }

    private static Leases node(ConsulProcess consul, String holder) {
        ConsulSettings settings =
                ConsulSettings.builder().address(consul.url().toString()).build();
        return Leases.builder(new ConsulBackend(settings)).holder(holder).build();
    }

    private static List<CompletableFuture<Lease>> acquireAll(Leases leases) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            all.add(leases.acquire(new LeaseName("lease-" + i)));
        }
        return all;
    }
}
