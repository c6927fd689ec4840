package io.fencedlease.lease.consul;

import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that is replaced once its selector thread is dead, by an interrupt or an {@link OutOfMemoryError}: it
 * would go on taking requests and never answer one. Thread-safe.
 */
final class LastingClient {

    private final Supplier<HttpClient> build;
    private HttpClient client;
    private @Nullable Thread selector;

    LastingClient(Supplier<HttpClient> build) {
        this.build = build;
        create();
    }

    synchronized HttpClient get() {
        if (selector != null && !selector.isAlive()) {
            create();
        }
        return client;
    }

    /** In a thread group of its own, whose only other thread is then the client's: nothing else tells which it is. */
    private void create() {
        ThreadGroup group = new ThreadGroup("fencedlease-consul");
        Thread builder = new Thread(group, () -> client = build.get(), "fencedlease-consul-builder");
        builder.setDaemon(true);
        builder.start();
        boolean interrupted = false;
        while (builder.isAlive()) {
            try {
                builder.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        Thread[] threads = new Thread[4];
        group.enumerate(threads);
        selector = Arrays.stream(threads)
                .filter(Objects::nonNull)
                .filter(thread -> thread != builder)
                .findFirst()
                .orElse(null);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
