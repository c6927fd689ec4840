package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers.Pending;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The way to Consul, and the time that passes on it. Everything above it runs unchanged over a simulated Consul.
 *
 * <p>Thread-safe; no call blocks. Answers and tasks come on any thread.
 */
interface ConsulTransport extends AutoCloseable {

    /**
     * Begins an exchange. It fails with whatever kept the answer away. Cancelling the answer ends the exchange and its
     * connection.
     *
     * @param limit bounds at least the time to the answer's headers; see {@link Attempt} for the whole
     */
    CompletableFuture<ConsulAnswer> send(ConsulRequest request, Duration limit);

    /** Runs the task once the delay is over, unless cancelled before. */
    Pending after(Duration delay, Runnable task);

    /** Ends what is open; later exchanges are cancelled at once. Idempotent. */
    @Override
    void close();
}
