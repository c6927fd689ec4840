package io.fencedlease.lease;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on one daemon thread; the executor replaces the thread should it die. */
final class SystemTimers implements Timers {

    private static final Logger LOG = LoggerFactory.getLogger(SystemTimers.class);

    private final ScheduledThreadPoolExecutor executor;

    SystemTimers(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        try {
            Future<?> future = executor.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            LOG.trace("task after close dropped");
            return () -> {};
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable bug) {
            LOG.error("a task of the lease loop failed; the loop goes on", bug);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
