package io.fencedlease.lease;

import io.fencedlease.lease.spi.BackendRefusedException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Growing, jittered pauses between attempts; confined to the loop. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(100);

    private final RandomGenerator random;
    private final Duration longest;
    private final Duration slow;
    private Duration next = FIRST;

    Backoff(RandomGenerator random, Duration longest) {
        this(random, longest, longest);
    }

    /** @param slow the pause after a refusal */
    Backoff(RandomGenerator random, Duration longest, Duration slow) {
        this.random = random;
        this.longest = longest;
        this.slow = slow;
    }

    /** Between half of the pause and all of it; the pause then doubles. */
    Duration next() {
        Duration pause = next;
        next = min(pause.multipliedBy(2), longest);
        return between(pause.dividedBy(2), pause);
    }

    /** The pause after a failed attempt: a refusal is repeated slowly, since only a person mends it. */
    Duration after(Throwable why) {
        return why instanceof BackendRefusedException ? between(slow.dividedBy(2), slow) : next();
    }

    /** The longest pause at once. */
    Duration longest() {
        return between(longest.dividedBy(2), longest);
    }

    void reset() {
        next = min(FIRST, longest);
    }

    Duration between(Duration from, Duration to) {
        return Duration.ofNanos(random.nextLong(from.toNanos(), to.toNanos() + 1));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
