package io.fencedlease.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The times of a lease. Set the TTL and the rest follows; settings that contradict each other are refused, never
 * repaired. Leases with equal settings share one session. Immutable.
 *
 * @param ttl how long the service keeps a session that is not renewed, at least; 1 s to 30 min
 * @param renewalInterval from the start of one renewal to the start of the next; TTL/6 by default
 * @param attemptLimit how long one call to the service may take; TTL/15 by default
 * @param lossStopTimeout how long stopping may take after a loss; belief ends this much before the TTL; TTL/10 by
 *     default
 * @param lockDelay how long the service keeps a lease shut after its session ended without release; by default TTL/3,
 *     or what it has to cover if that is more
 * @param startTimeout how long a new tenure may take to raise its fences, and its routes to start
 */
public record LeaseSettings(
        Duration ttl,
        Duration renewalInterval,
        Duration attemptLimit,
        Duration lossStopTimeout,
        Duration lockDelay,
        Duration startTimeout) {

    /** Two clocks may differ by this part of the TTL; belief ends as much earlier, which is also the time for telling. */
    private static final int CLOCK_RATE_PART = 100;

    private static final Duration MAX_LOCK_DELAY = Duration.ofSeconds(60);

    /** Above it, 1 % for the clocks is more than the lock-delay that Consul allows can cover beside the other times. */
    private static final Duration MAX_TTL = Duration.ofMinutes(30);

    /** @throws SettingRefusedException if the settings contradict each other or the service's limits */
    public LeaseSettings {
        verify("*", ttl, renewalInterval, attemptLimit, lossStopTimeout, lockDelay, startTimeout);
    }

    private static void verify(
            String lease,
            Duration ttl,
            Duration renewalInterval,
            Duration attemptLimit,
            Duration lossStopTimeout,
            Duration lockDelay,
            Duration startTimeout) {
        Check check = new Check(lease);
        check.that(ttl.compareTo(Duration.ofSeconds(1)) >= 0 && ttl.compareTo(MAX_TTL) <= 0, "ttl", ttl, "1s to 30m");
        check.positive("renewalInterval", renewalInterval);
        check.positive("attemptLimit", attemptLimit);
        check.positive("startTimeout", startTimeout);
        check.that(renewalInterval.compareTo(ttl) < 0, "renewalInterval", renewalInterval, "below ttl " + text(ttl));
        check.that(
                lossStopTimeout.compareTo(ttl.dividedBy(CLOCK_RATE_PART)) >= 0,
                "lossStopTimeout",
                lossStopTimeout,
                "at least 1% of ttl " + text(ttl) + ", by which two clocks may differ");
        Duration belief = belief(ttl, lossStopTimeout);
        check.that(
                renewalInterval.plus(attemptLimit).compareTo(belief) < 0,
                "renewalInterval",
                renewalInterval,
                "renewalInterval + attemptLimit " + text(attemptLimit) + " below ttl - 1% - lossStopTimeout = "
                        + text(belief));
        Duration needed = renewalInterval.plus(attemptLimit).plus(lossStopTimeout);
        check.that(
                needed.compareTo(MAX_LOCK_DELAY) <= 0,
                "renewalInterval + attemptLimit + lossStopTimeout",
                needed,
                "at most " + text(MAX_LOCK_DELAY) + ", the longest lock-delay, which has to cover them");
        check.that(
                lockDelay.compareTo(needed) >= 0 && lockDelay.compareTo(MAX_LOCK_DELAY) <= 0,
                "lockDelay",
                lockDelay,
                text(needed) + " (renewalInterval + attemptLimit + lossStopTimeout) to " + text(MAX_LOCK_DELAY));
    }

    private record Check(String lease) {

        void positive(String option, Duration given) {
            that(given.toMillis() >= 1, option, given, "above 0");
        }

        void that(boolean good, String option, Duration given, String allowed) {
            if (!good) {
                throw new SettingRefusedException(lease, option, text(given), allowed);
            }
        }
    }

    private static String text(Duration d) {
        return d.toMillis() % 1000 == 0 ? d.toSeconds() + "s" : d.toMillis() + "ms";
    }

    /** TTL 30 s and what follows from it. */
    public static LeaseSettings defaults() {
        return builder("*").build();
    }

    /** @param lease the lease's name for messages, {@code *} for all */
    public static Builder builder(String lease) {
        return new Builder(lease);
    }

    /**
     * How long a good renewal may be believed, from before it was sent: TTL less the time that stopping takes, and less 1 %
     * of it, by which two clocks may differ.
     */
    public Duration beliefSpan() {
        return belief(ttl, lossStopTimeout);
    }

    private static Duration belief(Duration ttl, Duration lossStopTimeout) {
        return ttl.minus(lossStopTimeout).minus(ttl.dividedBy(CLOCK_RATE_PART));
    }

    /**
     * The longest time from a holder's crash to its successor's acquisition, on a service that keeps sessions for twice
     * the TTL: 2 x TTL + lock-delay + one renewal interval. Each election of the service may add 2 x TTL.
     */
    public Duration failoverBound() {
        return ttl.multipliedBy(2).plus(lockDelay).plus(renewalInterval);
    }

    /** Collects settings; what is not set is derived from the TTL. */
    public static final class Builder {

        /** Above this TTL the derived times stay as they are, so that lock-delay keeps within the service's limit. */
        private static final Duration DERIVE_UP_TO = Duration.ofSeconds(180);

        private final String lease;
        private Duration ttl = Duration.ofSeconds(30);
        private @Nullable Duration renewalInterval;
        private @Nullable Duration attemptLimit;
        private @Nullable Duration lossStopTimeout;
        private @Nullable Duration lockDelay;
        private Duration startTimeout = Duration.ofSeconds(30);

        private Builder(String lease) {
            this.lease = lease;
        }

        public Builder ttl(Duration value) {
            ttl = value;
            return this;
        }

        public Builder renewalInterval(Duration value) {
            renewalInterval = value;
            return this;
        }

        public Builder attemptLimit(Duration value) {
            attemptLimit = value;
            return this;
        }

        public Builder lossStopTimeout(Duration value) {
            lossStopTimeout = value;
            return this;
        }

        public Builder lockDelay(Duration value) {
            lockDelay = value;
            return this;
        }

        public Builder startTimeout(Duration value) {
            startTimeout = value;
            return this;
        }

        /** @throws SettingRefusedException if the settings contradict each other or the service's limits */
        public LeaseSettings build() {
            Duration renewal = orTtlPart(renewalInterval, 6);
            Duration attempt = orTtlPart(attemptLimit, 15);
            Duration stop = orTtlPart(lossStopTimeout, 10);
            Duration needed = renewal.plus(attempt).plus(stop);
            Duration third = orTtlPart(lockDelay, 3);
            Duration delay = lockDelay == null && needed.compareTo(third) > 0 ? needed : third;
            verify(lease, ttl, renewal, attempt, stop, delay, startTimeout);
            return new LeaseSettings(ttl, renewal, attempt, stop, delay, startTimeout);
        }

        private Duration orTtlPart(@Nullable Duration given, int part) {
            if (given != null) {
                return given;
            }
            Duration base = ttl.compareTo(DERIVE_UP_TO) > 0 ? DERIVE_UP_TO : ttl;
            return Duration.ofMillis(base.toMillis() / part);
        }
    }
}
