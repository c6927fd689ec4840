package io.fencedlease.lease;

import java.time.Duration;

/** When to read the entries: at an interval, soon after a wake-up, and with pauses while it fails. */
final class ReadPace {

    /** At most so often after wake-ups. */
    static final Duration WAKE_GAP = Duration.ofMillis(250);

    /** A slow read is followed by so many times its length for acquiring and releasing. */
    private static final int OTHERS_SHARE = 4;

    private final Ticker ticker;
    private final Duration interval;
    private final long longestRead;
    private final Backoff backoff;
    private boolean woken;
    private long began;
    private long next;
    private long afterWakeUp;

    ReadPace(Loop loop, Duration interval, Duration attemptLimit) {
        this.ticker = loop.ticker();
        this.interval = interval;
        this.longestRead = attemptLimit.toNanos();
        this.backoff = new Backoff(loop.random(), attemptLimit, interval);
        this.next = ticker.nanos();
        this.afterWakeUp = next;
    }

    void wake() {
        woken = true;
    }

    boolean due(long now, Alarm alarm) {
        long left = woken ? Math.min(next - now, afterWakeUp - now) : next - now;
        if (left > 0) {
            alarm.within(Duration.ofNanos(left));
        }
        return left <= 0;
    }

    void began(Ticker.Tick now) {
        woken = false;
        began = now.nanos();
        next = began + interval.toNanos();
        afterWakeUp = began + WAKE_GAP.toNanos();
    }

    void succeeded() {
        backoff.reset();
        long ended = ticker.nanos();
        // what took longer than an attempt may was no slow service but a paused process
        long othersDone = ended + OTHERS_SHARE * Math.min(ended - began, longestRead);
        afterWakeUp = Math.max(afterWakeUp, othersDone);
        next = Math.max(next, othersDone);
    }

    /** A new session: whatever delayed reading concerned the old one. */
    void restart() {
        backoff.reset();
        next = ticker.nanos();
    }

    void failed(Throwable why) {
        next = ticker.nanos() + backoff.after(why).toNanos();
        afterWakeUp = next;
    }
}
