package io.fencedlease.faults;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.model.RouteDefinition;

/** Work in flight: a step that waits to be released, and one after it. */
final class Busy {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger passed = new AtomicInteger();
    private volatile long passedAt;

    /** Adds the two steps. */
    RouteDefinition steps(RouteDefinition route) {
        return route.process(this::begin).process(this::pass);
    }

    private void begin(Exchange exchange) throws InterruptedException {
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
}
