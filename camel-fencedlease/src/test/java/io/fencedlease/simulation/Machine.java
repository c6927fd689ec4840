package io.fencedlease.simulation;

import io.fencedlease.lease.Ticker.Tick;

/**
 * A machine's two clocks. They run at one rate, near the true one; the monotonic clock stands still while the machine is
 * suspended; the wall clock may step.
 */
final class Machine {

    private static final long MILLION = 1_000_000;

    final String name;
    private final World world;
    private final long millionths;
    private final long origin;
    private long wallMillis;
    /** Both clocks at the last resumption, in true time and as elapsed monotonic time. */
    private long trueBase;

    private long elapsedBase;
    private long suspendedUntil;

    /** @param rate how much faster than true, in millionths */
    Machine(String name, World world, long rate, long origin, long wallMillis) {
        this.name = name;
        this.world = world;
        this.millionths = MILLION + rate;
        this.origin = origin;
        this.wallMillis = wallMillis;
        this.trueBase = world.now();
    }

    /** Monotonic nanoseconds since the machine was started. */
    long elapsed() {
        return world.now() <= suspendedUntil ? elapsedBase : elapsedBase + ticked(world.now() - trueBase);
    }

    private long ticked(long trueNanos) {
        return trueNanos / MILLION * millionths + trueNanos % MILLION * millionths / MILLION;
    }

    long nanos() {
        return origin + elapsed();
    }

    long wallMillis() {
        return wallMillis + ticked(world.now()) / MILLION;
    }

    Tick clocks() {
        return new Tick(nanos(), wallMillis());
    }

    /** When the monotonic clock will show this. */
    long trueTimeOf(long elapsed) {
        long ticks = Math.max(0, elapsed - elapsedBase);
        long span = ticks / millionths * MILLION + (ticks % millionths * MILLION + millionths - 1) / millionths;
        return Math.max(trueBase + span, suspendedUntil);
    }

    boolean suspended() {
        return world.now() < suspendedUntil;
    }

    long suspendedUntil() {
        return suspendedUntil;
    }

    void suspend(long nanos) {
        if (!suspended()) {
            elapsedBase = elapsed();
            suspendedUntil = world.now() + nanos;
            trueBase = suspendedUntil;
        }
    }

    void stepWallClock(long millis) {
        wallMillis += millis;
    }
}
