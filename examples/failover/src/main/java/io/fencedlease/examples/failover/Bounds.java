package io.fencedlease.examples.failover;

import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;

/** How long each kind of hand-over may take, said before the demo begins. */
record Bounds(Duration afterPause, Duration afterPauseInside, Duration afterStop, String explained) {

    /** For raising the fences, starting the route and its first exchange, on a busy machine. */
    private static final Duration START = Duration.ofSeconds(3);

    /** How often a candidate looks at the database, at least. */
    private static final Duration POLL = Duration.ofMillis(500);

    /** After this time a raise ends the database session that blocks it. */
    static final Duration RAISE_TIMEOUT = Duration.ofSeconds(2);

    static Bounds of(DemoOptions options, LeaseSettings settings) {
        boolean consul = options.consul().isPresent();
        Duration afterPause = consul
                ? settings.failoverBound().plus(START)
                : settings.ttl()
                        .plus(settings.lockDelay())
                        .plus(POLL.multipliedBy(2))
                        .plus(START);
        Duration inside = options.fenced() ? afterPause.plus(RAISE_TIMEOUT) : afterPause;
        String explained = consul
                ? "2 x TTL %s + lock-delay %s + renewal %s + start %s"
                        .formatted(s(settings.ttl()), s(settings.lockDelay()), s(settings.renewalInterval()), s(START))
                : "TTL %s + lock-delay %s + 2 polls %s + start %s"
                        .formatted(s(settings.ttl()), s(settings.lockDelay()), s(POLL.multipliedBy(2)), s(START));
        return new Bounds(afterPause, inside, POLL.plus(START), explained);
    }

    static String s(Duration duration) {
        return "%.1f s".formatted(duration.toMillis() / 1000.0);
    }
}
