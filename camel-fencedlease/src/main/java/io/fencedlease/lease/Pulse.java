package io.fencedlease.lease;

import java.time.Duration;
import java.util.Optional;

/** Whether the loop still runs, as seen by any other thread. */
final class Pulse {

    private final Ticker ticker;
    private final Duration longest;
    private volatile long last;
    private volatile boolean stopped;

    /** @param longest between two beats of a loop that runs */
    Pulse(Ticker ticker, Duration longest) {
        this.ticker = ticker;
        this.longest = longest;
        this.last = ticker.nanos();
    }

    void beat() {
        last = ticker.nanos();
    }

    void stop() {
        stopped = true;
    }

    Optional<Ailment> ailment() {
        long silent = ticker.nanos() - last;
        if (stopped || silent <= longest.toNanos()) {
            return Optional.empty();
        }
        return Optional.of(new Ailment(
                Ailment.Kind.STUCK,
                "the thread that keeps the leases has not run for "
                        + Duration.ofNanos(silent).toMillis() + " ms"));
    }
}
