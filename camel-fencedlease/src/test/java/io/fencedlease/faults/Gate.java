package io.fencedlease.faults;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds up whoever comes until it is opened. */
final class Gate {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    void pass() throws InterruptedException {
        arrived.countDown();
        open.await(60, TimeUnit.SECONDS);
    }

    void awaitArrival() throws InterruptedException {
        if (!arrived.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody came");
        }
    }

    void open() {
        open.countDown();
    }
}
