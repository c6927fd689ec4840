package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
import java.time.Duration;

/**
 * How long a proof may be believed: a span from the moment before it was asked for. Each of the two clocks is judged by
 * itself, so a suspended machine is noticed and a small step of the wall clock costs nothing. Written by the loop, read
 * by any thread.
 */
final class Deadline {

    private final Duration span;
    private volatile Tick since;

    Deadline(Tick since, Duration span) {
        this.since = since;
        this.span = span;
    }

    /** Never shortens: answers may come out of order. */
    void extend(Tick asked) {
        if (asked.nanos() - since.nanos() > 0) {
            since = asked;
        }
    }

    boolean passed(Tick now) {
        return left(now).isNegative() || left(now).isZero();
    }

    Duration left(Tick now) {
        Tick from = since;
        Duration monotonic = Duration.ofNanos(now.nanos() - from.nanos());
        Duration wall = Duration.ofMillis(now.wallMillis() - from.wallMillis());
        return span.minus(monotonic.compareTo(wall) > 0 ? monotonic : wall);
    }
}
