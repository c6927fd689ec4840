package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a proof may be believed: a span from the moment before it was asked for. Each of the two clocks is judged by
 * itself, so a suspended machine is noticed and a small step of the wall clock costs nothing. Written by the loop, read
 * by any thread.
 */
final class Deadline {

    private final long spanNanos;
    private final long spanMillis;
    private volatile Tick since;

    Deadline(Tick since, Duration span) {
        this.since = since;
        this.spanNanos = span.toNanos();
        this.spanMillis = span.toMillis();
    }

    /** Never shortens: answers may come out of order. */
    void extend(Tick asked) {
        if (asked.nanos() - since.nanos() > 0) {
            since = asked;
        }
    }

    boolean passed(Tick now) {
        Tick from = since;
        return now.nanos() - from.nanos() >= spanNanos || now.wallMillis() - from.wallMillis() >= spanMillis;
    }

    Duration left(Tick now) {
        Tick from = since;
        long monotonic = spanNanos - (now.nanos() - from.nanos());
        long wall = TimeUnit.MILLISECONDS.toNanos(spanMillis - (now.wallMillis() - from.wallMillis()));
        return Duration.ofNanos(Math.min(monotonic, wall));
    }
}
