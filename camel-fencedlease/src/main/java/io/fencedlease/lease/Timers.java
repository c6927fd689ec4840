package io.fencedlease.lease;

import java.time.Duration;

/**
 * An event loop: runs tasks one at a time, in order, now or after a delay. A task that throws ends neither the loop nor
 * later tasks. Thread-safe.
 */
public interface Timers extends AutoCloseable {

    /** Runs the task on the loop as soon as the tasks before it are done. */
    void execute(Runnable task);

    /** Runs the task on the loop once the delay is over, unless cancelled before. */
    Pending after(Duration delay, Runnable task);

    /** Drops what is pending; a task already running ends. Idempotent. */
    @Override
    void close();

    /** A task that waits for its time. */
    interface Pending {
        /** Forgets the task; without effect once it has begun. */
        void cancel();
    }

    /** A loop on one daemon thread of this name. */
    static Timers system(String threadName) {
        return new SystemTimers(threadName);
    }
}
