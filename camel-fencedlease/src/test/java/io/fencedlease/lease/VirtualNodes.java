package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.SinfulService;
import io.fencedlease.lease.LossReason.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Two nodes and one service in virtual time. */
abstract class VirtualNodes {

    static final LeaseName L = new LeaseName("closer");
    static final LeaseSettings S = LeaseSettings.builder("closer").build();
    static final Duration A_MOMENT = Duration.ofMillis(600);

    final VirtualTime time = new VirtualTime();
    /** Workers that never come back, if told so. */
    boolean workersHang;

    final Executor workers = task -> {
        if (!workersHang) {
            time.execute(task);
        }
    };
    final SinfulService service = SinfulService.sinless(time);
    final FaultyBackend backendA = new FaultyBackend(service.client());
    final FaultyBackend backendB = new FaultyBackend(service.client());
    final Leases a = node(backendA, "A");
    final Leases b = node(backendB, "B");
    final List<LossReason> losses = new ArrayList<>();

    final Leases node(FaultyBackend backend, String holder) {
        return new Leases(
                backend,
                S,
                holder,
                new Loop(time, time, workers, time::execute, new Random(holder.hashCode())),
                () -> {});
    }

    final Lease heldBy(Leases node) {
        CompletableFuture<Lease> future = node.acquire(L);
        time.advance(S.failoverBound());
        assertThat(future).isCompleted();
        Lease lease = future.join();
        lease.lost().thenAccept(losses::add);
        return lease;
    }

    final void assertLost(Lease lease, Kind kind) {
        assertThat(lease.lossReason()).map(LossReason::kind).contains(kind);
        assertThat(losses).extracting(LossReason::kind).containsExactly(kind);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }
}
