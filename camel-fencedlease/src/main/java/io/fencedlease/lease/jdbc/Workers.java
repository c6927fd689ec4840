package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A few daemon threads for calls that block. A stage completes within its limit even if the driver never returns; a
 * thread that hangs in a driver is replaced, up to {@value #MOST_OVERDUE} times, until it comes back.
 */
final class Workers implements AutoCloseable {

    /** What blocks; it is told when nobody waits for it any more. */
    @FunctionalInterface
    interface Work<T> {
        T run(BooleanSupplier tooLate) throws Exception;
    }

    private enum State {
        WAITING,
        RUNNING,
        OVERDUE,
        DONE
    }

    private static final int MOST_OVERDUE = 16;
    private static final int MOST_WAITING = 20_000;

    private final int threads;
    private final ThreadPoolExecutor executor;
    private int overdue;

    Workers(int threads) {
        AtomicInteger number = new AtomicInteger();
        this.threads = threads;
        this.executor = new ThreadPoolExecutor(
                threads,
                threads + MOST_OVERDUE,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                task -> {
                    Thread thread = new Thread(task, "fencedlease-jdbc-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** Fails with what the work threw, or as unavailable when the limit is over. */
    <T> CompletionStage<T> call(Duration limit, Work<T> work) {
        Call<T> call = new Call<>(work);
        try {
            executor.execute(call);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(new BackendUnavailableException("closed, or too many calls wait"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        call.outcome.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS).whenComplete((value, failure) -> {
            if (failure instanceof TimeoutException) {
                answer.completeExceptionally(call.giveUp(limit));
            } else if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(value);
            }
        });
        return answer;
    }

    /** Calls already made go on; later ones fail. Nothing is interrupted: an embedded database would be closed by it. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private synchronized void resize(int change) {
        overdue += change;
        executor.setCorePoolSize(threads + Math.min(overdue, MOST_OVERDUE));
    }

    private final class Call<T> implements Runnable {

        private final Work<T> work;
        private final CompletableFuture<T> outcome = new CompletableFuture<>();
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        Call(Work<T> work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
                return;
            }
            try {
                outcome.complete(work.run(outcome::isDone));
            } catch (Throwable failure) {
                outcome.completeExceptionally(failure);
            } finally {
                if (state.getAndSet(State.DONE) == State.OVERDUE) {
                    resize(-1);
                }
            }
        }

        BackendUnavailableException giveUp(Duration limit) {
            if (state.compareAndSet(State.WAITING, State.DONE)) {
                executor.remove(this);
                return new BackendUnavailableException("no free database thread within " + limit.toMillis() + " ms");
            }
            if (state.compareAndSet(State.RUNNING, State.OVERDUE)) {
                resize(1);
            }
            return new BackendUnavailableException("the database did not answer within " + limit.toMillis() + " ms");
        }
    }
}
