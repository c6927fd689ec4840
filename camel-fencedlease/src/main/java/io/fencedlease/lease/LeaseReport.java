package io.fencedlease.lease;

import java.util.Optional;

/**
 * What this node knows about one lease at one moment, for people and health checks; never a permission to write.
 *
 * @param tenure this node's tenure; empty while waiting
 * @param holder who holds it elsewhere, as far as seen
 * @param problem what is wrong now, in one line without secrets; empty if nothing is
 */
public record LeaseReport(
        LeaseName lease, State state, Optional<Tenure> tenure, Optional<String> holder, Optional<String> problem) {

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
}
