package io.fencedlease.lease;

/** The only source of time in this library; both clocks are this node's own. Thread-safe. */
public interface Ticker {

    /** Monotonic nanoseconds, of any origin. */
    long nanos();

    /** Milliseconds of the wall clock, which may step. */
    long wallMillis();

    /** Both clocks, read one after the other. */
    default Tick now() {
        return new Tick(nanos(), wallMillis());
    }

    /** The clocks of the system. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }

    /** One reading of both clocks. */
    record Tick(long nanos, long wallMillis) {}
}
