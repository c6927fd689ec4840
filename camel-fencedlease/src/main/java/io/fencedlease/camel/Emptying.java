package io.fencedlease.camel;

import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Finds out when nothing of a tenure is left that a planned end should wait for. Confined to the loop. */
final class Emptying {

    static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final RunningTenure tenure;
    private final QueuedCopies queued;
    private final Timers loop;
    private int emptyLooks;

    Emptying(RunningTenure tenure, QueuedCopies queued, Timers loop) {
        this.tenure = tenure;
        this.queued = queued;
        this.loop = loop;
    }

    /** Two looks one after the other: a copy on its way from a queue into its route is seen by neither count. */
    boolean looksEmpty() {
        boolean empty = tenure.alive() == 0 && !queued.any(tenure);
        emptyLooks = empty ? emptyLooks + 1 : 0;
        return emptyLooks > 1;
    }

    /** Closes the tenure once it is empty; after its end without regard to what only waits, and will be refused. */
    CompletableFuture<Void> close() {
        if (tenure.lost()) {
            tenure.dropWaiting();
            return tenure.closeWhenEmpty();
        }
        if (looksEmpty()) {
            return tenure.closeWhenEmpty();
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        loop.after(LOOK_AGAIN, () -> close().thenRun(() -> later.complete(null)));
        return later;
    }
}
