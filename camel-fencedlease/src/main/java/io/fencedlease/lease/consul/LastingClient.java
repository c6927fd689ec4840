package io.fencedlease.lease.consul;

import io.fencedlease.lease.spi.BackendUnavailableException;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that is replaced once its selector thread is dead, by an interrupt or an {@link OutOfMemoryError}: it
 * would go on taking requests and never answer one. Thread-safe.
 */
final class LastingClient {

    private final Supplier<HttpClient> build;
    private @Nullable HttpClient client;
    private @Nullable Thread selector;
    /** This JDK lets us see the thread, so not to see one means that it is dead. */
    private boolean seen;

    LastingClient(Supplier<HttpClient> build) {
        this.build = build;
    }

    /** @throws BackendUnavailableException if none can be built now; the next call tries again */
    synchronized HttpClient get() {
        HttpClient known = client;
        boolean dead = selector == null ? seen : !selector.isAlive();
        return known == null || dead ? create() : known;
    }

    /** In a thread group of its own, whose only other thread is then the client's: nothing else tells which it is. */
    private HttpClient create() {
        client = null;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        ThreadGroup group = new ThreadGroup("fencedlease-consul");
        Thread builder = new Thread(group, () -> build(failure), "fencedlease-consul-builder");
        builder.setDaemon(true);
        builder.start();
        joinUninterruptibly(builder);
        HttpClient built = client;
        if (built == null) {
            throw new BackendUnavailableException("no HTTP client: " + failure.get(), failure.get());
        }
        Thread[] threads = new Thread[4];
        group.enumerate(threads);
        selector = Arrays.stream(threads)
                .filter(Objects::nonNull)
                .filter(thread -> thread != builder)
                .findFirst()
                .orElse(null);
        seen |= selector != null;
        return built;
    }

    private void build(AtomicReference<@Nullable Throwable> failure) {
        try {
            client = build.get();
        } catch (Throwable why) { // of whatever ended the one before: no memory, no descriptors
            failure.set(why);
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
