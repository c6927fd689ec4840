package io.fencedlease.camel.idempotent;

import io.fencedlease.fence.FencedKeys;
import io.fencedlease.lease.FailureText;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets old confirmed keys now and then, on a thread of its own; whether or not the lease is held here. */
final class Cleaning extends ServiceSupport {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);

    private static final long SHORTEST = Duration.ofSeconds(1).toMillis();
    private static final long LONGEST = Duration.ofHours(1).toMillis();

    private final CamelContext context;
    private final FencedKeys keys;
    private final Duration age;
    private @Nullable ScheduledExecutorService thread;

    Cleaning(CamelContext context, FencedKeys keys, Duration age) {
        this.context = context;
        this.keys = keys;
        this.age = age;
    }

    @Override
    protected void doStart() {
        thread = context.getExecutorServiceManager().newSingleThreadScheduledExecutor(this, "fencedlease-cleanup");
        long period = Math.min(LONGEST, Math.max(SHORTEST, age.toMillis() / 10));
        thread.scheduleWithFixedDelay(this::clean, period, period, TimeUnit.MILLISECONDS);
    }

    private void clean() {
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
    protected void doStop() {
        context.getExecutorServiceManager().shutdownNow(thread);
    }
}
