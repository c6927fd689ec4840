package io.fencedlease.camel;

import java.util.concurrent.CompletableFuture;

/** Runs what is done to one thing one after the other, in the order asked for, on workers. Thread-safe. */
final class Lane {

    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    synchronized CompletableFuture<Void> run(WorkThreads threads, WorkThreads.Work work) {
        CompletableFuture<Void> next =
                last.handle((ok, failure) -> threads.onWorker(work)).thenCompose(done -> done);
        last = next;
        return next;
    }
}
