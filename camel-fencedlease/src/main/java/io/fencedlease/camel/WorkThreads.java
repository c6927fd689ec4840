package io.fencedlease.camel;

import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** The threads of leased work in one context: the loop decides and never blocks, the workers do what blocks. */
record WorkThreads(Timers loop, ExecutorService workers) {

    /** Something that blocks or throws. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    CompletableFuture<Void> onWorker(Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    work.run();
                    done.complete(null);
                } catch (Throwable failure) {
                    done.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException shutDown) {
            done.completeExceptionally(shutDown);
        }
        return done;
    }

    /** Completes normally when the other one completes in whatever way, or when the time is over. */
    CompletableFuture<Void> atMost(Duration limit, CompletableFuture<?> other) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Timers.Pending limited = loop.after(limit, () -> done.complete(null));
        other.whenComplete((ok, failure) -> {
            limited.cancel();
            done.complete(null);
        });
        return done;
    }

    /** Runs on the loop and hands over the result. */
    <T> CompletableFuture<T> onLoop(Callable<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                done.complete(task.call());
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }
}
