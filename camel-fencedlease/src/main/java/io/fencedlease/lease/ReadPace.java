package io.fencedlease.lease;

import java.time.Duration;

/** When to read the entries: at an interval, soon after a wake-up, and with pauses while it fails. */
final class ReadPace {

    /** At most so often after wake-ups. */
    static final Duration WAKE_GAP = Duration.ofMillis(250);

    private final Ticker ticker;
    private final Duration interval;
    private final Backoff backoff;
    private boolean woken;
    private long last;
    private long next;

    ReadPace(Loop loop, Duration interval, Duration longestPause) {
        this.ticker = loop.ticker();
        this.interval = interval;
        this.backoff = new Backoff(loop.random(), longestPause);
        this.next = ticker.nanos();
        this.last = next - WAKE_GAP.toNanos();
    }

    void wake() {
        woken = true;
    }

    boolean due(long now, Alarm alarm) {
        long left = woken ? Math.min(next - now, last + WAKE_GAP.toNanos() - now) : next - now;
        if (left > 0) {
            alarm.within(Duration.ofNanos(left));
        }
        return left <= 0;
    }

    void began(Ticker.Tick now) {
        woken = false;
        last = now.nanos();
        next = last + interval.toNanos();
    }

    void succeeded() {
        backoff.reset();
    }

    void failed(Throwable why) {
        next = ticker.nanos() + backoff.after(why).toNanos();
    }
}
