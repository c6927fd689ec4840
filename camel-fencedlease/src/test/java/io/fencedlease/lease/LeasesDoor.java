package io.fencedlease.lease;

import io.fencedlease.lease.spi.LeaseBackend;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The way for tests of other packages to {@link Leases} whose time, threads and chance are their own. */
public final class LeasesDoor {

    private LeasesDoor() {}

    /** @param <P> the process: its clocks and its loop */
    public static <P extends Ticker & Timers> Leases open(
            LeaseBackend backend,
            LeaseSettings settings,
            String holder,
            P process,
            Executor workers,
            Executor callbacks,
            RandomGenerator random) {
        return new Leases(backend, settings, holder, new Loop(process, process, workers, callbacks, random), () -> {});
    }

    /** What {@link Leases#close()} waits for. */
    public static CompletableFuture<Void> endInOrder(Leases leases) {
        return leases.endInOrder();
    }
}
