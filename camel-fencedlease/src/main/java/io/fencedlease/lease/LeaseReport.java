package io.fencedlease.lease;

import java.util.Optional;

/**
 * What this node knows about one lease at one moment, for people and health checks; never a permission to write.
 *
 * @param tenure this node's tenure; empty while waiting
 * @param holder who holds it elsewhere, as far as seen
 * @param ailment the gravest thing that is wrong now; empty if nothing is
 * @param regression set while a fence with a higher mark keeps this tenure from starting
 */
public record LeaseReport(
        LeaseName lease,
        State state,
        Optional<Tenure> tenure,
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
                lease, State.IDLE, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What is wrong now, in one line without secrets; empty if nothing is. */
    public Optional<String> problem() {
        return ailment.map(Ailment::text);
    }

    /** The same with one more thing that may be wrong: the graver of the two stays, the first if they are equal. */
    public LeaseReport with(Optional<Ailment> other) {
        Optional<Ailment> gravest =
                other.map(o -> ailment.map(own -> own.orGraver(o)).orElse(o)).or(() -> ailment);
        return new LeaseReport(lease, state, tenure, holder, gravest, regression);
    }
}
