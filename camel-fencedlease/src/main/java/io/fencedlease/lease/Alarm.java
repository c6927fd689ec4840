package io.fencedlease.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Wakes the group once, at the earliest of the times asked for since it last rang; confined to the loop. */
final class Alarm {

    private final Timers timers;
    private final Runnable ring;
    private @Nullable Duration earliest;
    private Timers.@Nullable Pending pending;

    Alarm(Timers timers, Runnable ring) {
        this.timers = timers;
        this.ring = ring;
    }

    /** Asks to be woken after this time at the latest. */
    void within(Duration delay) {
        Duration d = delay.isNegative() ? Duration.ZERO : delay;
        if (earliest == null || d.compareTo(earliest) < 0) {
            earliest = d;
        }
    }

    /** Sets the alarm anew to what was asked for. */
    void set() {
        stop();
        if (earliest != null) {
            pending = timers.after(earliest, ring);
        }
        earliest = null;
    }

    void stop() {
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
    }
}
