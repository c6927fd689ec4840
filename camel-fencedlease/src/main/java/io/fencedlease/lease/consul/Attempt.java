package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers.Pending;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One call of the SPI: one exchange or several, one after the other, under one time limit.
 *
 * <p>The limit is twofold. {@code HttpRequest.timeout} ends with the answer's headers, so a body that never comes would
 * hang for ever; the timer here bounds the whole, and then the exchange still open is cancelled, which closes its
 * connection. After that no further exchange of the attempt begins.
 */
final class Attempt {

    private final ConsulTransport transport;
    private final Duration limit;
    // end() sets the one and reads the other, send() the other way round: one of them sees both
    private volatile CompletableFuture<?> exchange = CompletableFuture.completedFuture(null);
    private volatile boolean over;

    private Attempt(ConsulTransport transport, Duration limit) {
        this.transport = transport;
        this.limit = limit;
    }

    /** Fails only with what the SPI allows; cancelling it ends the attempt. */
    static <T> CompletableFuture<T> within(
            ConsulTransport transport, Duration limit, Function<Attempt, CompletableFuture<T>> work) {
        Attempt attempt = new Attempt(transport, limit);
        CompletableFuture<T> timed = new CompletableFuture<>();
        CompletableFuture<T> result = new CompletableFuture<>();
        Pending timer = transport.after(limit, () -> timed.completeExceptionally(new TimeoutException()));
        timed.whenComplete((value, error) -> {
            timer.cancel();
            // first: who sees the result may call again, and then another agent
            attempt.end();
            if (error == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(attempt.fault(error));
            }
        });
        result.whenComplete((value, error) -> {
            attempt.end();
            timed.cancel(false);
        });
        try {
            work.apply(attempt).whenComplete((value, error) -> {
                if (error == null) {
                    timed.complete(value);
                } else {
                    timed.completeExceptionally(error);
                }
            });
        } catch (RuntimeException e) {
            timed.completeExceptionally(e);
        }
        return result;
    }

    CompletableFuture<ConsulAnswer> send(ConsulRequest request) {
        if (over) {
            return CompletableFuture.failedFuture(new BackendUnavailableException("attempt is over"));
        }
        CompletableFuture<ConsulAnswer> next = transport.send(request, limit);
        exchange = next;
        if (over) {
            next.cancel(true);
        }
        return next;
    }

    private void end() {
        over = true;
        exchange.cancel(true);
    }

    private RuntimeException fault(Throwable error) {
        Throwable cause = error;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof BackendUnavailableException || cause instanceof BackendRefusedException) {
            return (RuntimeException) cause;
        }
        if (cause instanceof TimeoutException) {
            return new BackendUnavailableException("no answer from Consul within " + limit.toMillis() + " ms");
        }
        return new BackendUnavailableException("no answer from Consul: " + cause, cause);
    }
}
