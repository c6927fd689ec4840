package io.fencedlease.faults;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.SynchronizationAdapter;

/** Work in flight: a step that waits to be released, and one after it. */
final class Busy {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger passed = new AtomicInteger();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile long passedAt;

    /** Adds the two steps. */
    RouteDefinition steps(RouteDefinition route) {
        return route.process(this::begin).process(this::pass);
    }

    private void begin(Exchange exchange) throws InterruptedException {
        exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
            @Override
            public void onFailure(Exchange failed) {
                failures.add(failed.getException());
            }
        });
        begun.countDown();
        released.await(60, TimeUnit.SECONDS);
    }

    private void pass(Exchange exchange) {
        passedAt = System.nanoTime();
        passed.incrementAndGet();
    }

    void awaitBegun() throws InterruptedException {
        if (!begun.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nothing came in");
        }
    }

    void goOn() {
        released.countDown();
    }

    /** How many exchanges have reached the second step. */
    int passed() {
        return passed.get();
    }

    /** When the last of them did. */
    long passedAt() {
        return passedAt;
    }

    /** What exchanges failed with. */
    List<Throwable> failures() {
        return failures;
    }
}
