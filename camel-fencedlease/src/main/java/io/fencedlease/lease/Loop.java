package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop with its sources of time, threads and chance; all state of the leases is confined to it. Workers may
 * block, callbacks may not.
 */
record Loop(Ticker ticker, Timers timers, Executor workers, Executor callbacks, RandomGenerator random) {

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    /** What a call came to; runs on the loop, exactly once. */
    interface Answer<T> {
        void good(T value);

        void failed(Throwable why);
    }

    /** Makes a call and delivers its answer on the loop; after the limit the answer is "unknown", and late ones drop. */
    <T> void call(Supplier<CompletionStage<T>> call, Duration limit, Answer<T> answer) {
        Delivery<T> delivery = new Delivery<>(answer);
        delivery.timeout = timers.after(
                limit,
                () -> delivery.deliver(
                        null, new BackendUnavailableException("no answer within " + limit.toMillis() + " ms")));
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (Throwable thrown) {
            stage = CompletableFuture.failedFuture(thrown);
        }
        stage.whenComplete((value, error) -> timers.execute(() -> delivery.deliver(value, error)));
    }

    Tick now() {
        return ticker.now();
    }

    String newNonce() {
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }

    private static final class Delivery<T> {

        private final Answer<T> answer;
        private Timers.@Nullable Pending timeout;
        private boolean done;

        Delivery(Answer<T> answer) {
            this.answer = answer;
        }

        void deliver(@Nullable T value, @Nullable Throwable error) {
            if (done) {
                LOG.debug("answer after its limit dropped: {}", error == null ? value : error.toString());
                return;
            }
            done = true;
            if (timeout != null) {
                timeout.cancel();
            }
            if (error != null) {
                answer.failed(
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            } else if (value == null) {
                answer.failed(new BackendUnavailableException("the backend answered nothing"));
            } else {
                answer.good(value);
            }
        }
    }
}
