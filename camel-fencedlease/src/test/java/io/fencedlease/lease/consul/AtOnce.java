package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers;
import io.fencedlease.lease.VirtualTime;
import java.time.Duration;

/** Timers of a node that has nothing else to do: answers are heard in the very moment they come. */
record AtOnce(VirtualTime time) implements Timers {

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        return time.after(delay, task);
    }

    @Override
    public void close() {}
}
