package io.fencedlease.camel;

import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops one part of a tenure that goes on: takes in nothing new, lets what is in flight end, then stops it. */
final class EarlyStop {

    private static final Logger LOG = LoggerFactory.getLogger(EarlyStop.class);

    private EarlyStop() {}

    /** @param lasts whether the tenure does; its end stops all parts itself */
    static void begin(LeasedPart part, WorkThreads threads, BooleanSupplier lasts) {
        part.lane()
                .run(threads, () -> {
                    // a later tenure may have started it
                    if (lasts.getAsBoolean()) {
                        part.suspend();
                    }
                })
                .whenComplete((ok, failure) -> {
                    if (failure != null) {
                        LOG.warn("could not suspend {}: {}", part.describe(), failure.toString());
                    }
                    threads.loop().execute(() -> stopWhenIdle(part, threads, lasts));
                });
    }

    private static void stopWhenIdle(LeasedPart part, WorkThreads threads, BooleanSupplier lasts) {
        if (!lasts.getAsBoolean()) {
            return;
        }
        if (part.idle()) {
            part.lane().run(threads, () -> {
                if (lasts.getAsBoolean()) {
                    part.stop();
                }
            });
        } else {
            threads.loop().after(Emptying.LOOK_AGAIN, () -> stopWhenIdle(part, threads, lasts));
        }
    }
}
