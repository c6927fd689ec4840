package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A monotonic clock that a test moves. */
final class FakeTicker implements Ticker {

    private final AtomicLong nanos = new AtomicLong();

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        throw new AssertionError("the JDBC backend reads no wall clock");
    }
}
