package io.fencedlease.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks in order, one at a time, on the threads of another executor: a loss is told before the next gain. */
final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private static final Duration NO_THREAD = Duration.ofMillis(100);

    private final Loop loop;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        handOver();
    }

    private void handOver() {
        try {
            loop.callbacks().execute(this::drain);
        } catch (RuntimeException | Error noThread) {
            loop.timers().after(NO_THREAD, this::handOver); // forgotten if all leases are closed
        }
    }

    private void drain() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (Throwable bug) {
                LOG.error("a callback of a lease failed", bug);
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (tasks) {
            Runnable task = tasks.poll();
            running = task != null;
            return task;
        }
    }
}
