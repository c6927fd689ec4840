package io.fencedlease.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What this node knows about one lease at one moment, for people and health checks; never a permission to write.
 *
 * @param since when it came into this state, by this node's wall clock; empty if it was never asked for
 * @param tenure this node's tenure; empty while waiting
 * @param left how long this tenure is believed yet if nothing renews it; empty without one, or if it is over
 * @param holder who holds it elsewhere, as far as seen
 * @param ailment the gravest thing that is wrong now; empty if nothing is
 * @param regression set while a fence with a higher mark keeps this tenure from starting
 */
public record LeaseReport(
        LeaseName lease,
        State state,
        Optional<Instant> since,
        Optional<Tenure> tenure,
        Optional<Duration> left,
        Optional<String> holder,
        Optional<Ailment> ailment,
        Optional<TokenRegression> regression) {

    /** Where the lease stands on this node. */
    public enum State {
        /** Nobody here asks for it. */
        IDLE,
        /** Asked for, not held. */
        WAITING,
        /** Acquired; its fences are being raised. */
        PREPARING,
        /** Held. */
        HOLDING,
        /** The tenure is over, its work not yet, or the lease is being given back. */
        ENDING
    }

    static LeaseReport idle(LeaseName lease) {
        return new LeaseReport(
                lease,
                State.IDLE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** What is wrong now, in one line without secrets; empty if nothing is. */
    public Optional<String> problem() {
        return ailment.map(Ailment::text);
    }

    LeaseReport with(Duration time) {
        return new LeaseReport(lease, state, since, tenure, Optional.of(time), holder, ailment, regression);
    }

    /** The same with one more thing that may be wrong: the graver of the two stays, the first if they are equal. */
    public LeaseReport with(Optional<Ailment> other) {
        Optional<Ailment> gravest =
                other.map(o -> ailment.map(own -> own.orGraver(o)).orElse(o)).or(() -> ailment);
        return new LeaseReport(lease, state, since, tenure, left, holder, gravest, regression);
    }
}
