package io.fencedlease.camel.idempotent;

import io.fencedlease.fence.FencedKeys;
import io.fencedlease.lease.FailureText;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets old confirmed keys now and then, on a thread of its own; whether or not the lease is held here. */
final class Cleaning implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);

    private static final long SHORTEST = Duration.ofSeconds(1).toMillis();
    private static final long LONGEST = Duration.ofHours(1).toMillis();

    private final CamelContext context;
    private final ScheduledExecutorService thread;

    Cleaning(CamelContext context, FencedKeys keys, Duration age) {
        this.context = context;
        this.thread = context.getExecutorServiceManager().newSingleThreadScheduledExecutor(this, "fencedlease-cleanup");
        long period = Math.min(LONGEST, Math.max(SHORTEST, age.toMillis() / 10));
        thread.scheduleWithFixedDelay(() -> clean(keys, age), period, period, TimeUnit.MILLISECONDS);
    }

    private static void clean(FencedKeys keys, Duration age) {
        try {
            long gone = keys.cleanup(age);
            if (gone > 0) {
                LOG.debug("{}: forgot {} keys confirmed more than {} ago", keys.resource(), gone, age);
            }
        } catch (RuntimeException failed) {
            LOG.warn("{} could not be cleaned up; tried again: {}", keys.resource(), FailureText.of(failed));
        }
    }

    @Override
    public void close() {
        context.getExecutorServiceManager().shutdownNow(thread);
    }
}
