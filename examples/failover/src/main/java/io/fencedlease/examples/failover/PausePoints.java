package io.fencedlease.examples.failover;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Lets the director pause this node exactly where it wants: the node says that it has arrived and waits until it is told
 * to go on. The pause itself is a SIGSTOP from outside, so that nothing in the node can know of it.
 */
final class PausePoints {

    private final Consumer<PausePoint> announce;
    private volatile Armed armed = Armed.NOTHING;

    /** @param announce called by the thread that has arrived */
    PausePoints(Consumer<PausePoint> announce) {
        this.announce = announce;
    }

    /** The next thread that reaches this point waits there. */
    void arm(PausePoint point) {
        armed = new Armed(point);
    }

    /** Lets go whoever waits. */
    void goOn() {
        armed.go.countDown();
    }

    /** Called wherever such a point is; returns at once unless it is the armed one. */
    void reached(PausePoint point) {
        Armed here = armed;
        if (here.point != point || !here.take()) {
            return;
        }
        announce.accept(point);
        try {
            here.go.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Good for one thread. */
    private static final class Armed {
        static final Armed NOTHING = new Armed(null);

        private final @org.jspecify.annotations.Nullable PausePoint point;
        private final CountDownLatch go = new CountDownLatch(1);
        private boolean taken;

        Armed(@org.jspecify.annotations.Nullable PausePoint point) {
            this.point = point;
        }

        synchronized boolean take() {
            boolean first = !taken;
            taken = true;
            return first;
        }
    }
}
