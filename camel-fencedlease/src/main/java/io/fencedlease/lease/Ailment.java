package io.fencedlease.lease;

/**
 * What is wrong with a lease on this node.
 *
 * @param text one line for people, without secrets
 */
public record Ailment(Kind kind, String text) {

    /** How grave it is, and who can help; the later the graver. */
    public enum Kind {
        /** Tried again by itself: an outage, an election, a lost answer. */
        TRANSIENT,
        /** Held, but at least half of the time that a renewal is good for has passed without one. */
        NOT_RENEWED,
        /** The service refuses for good: a missing right, an illegal TTL. Somebody has to change the configuration. */
        CONFIGURATION,
        /** A resource refuses the writes of a lease that is ours. Somebody has to look at the resource. */
        RESOURCE_AHEAD,
        /** A {@link TokenRegression}. Somebody has to open a new generation. */
        REGRESSION,
        /** The tenure is over, but its work does not end, or a route hangs in its start or stop. A restart of the node ends it. */
        STILL_RUNNING,
        /** The thread that keeps the leases does not run. A restart of the node mends it, if nothing else does. */
        STUCK
    }

    /** The graver of the two; this one if they are equal. */
    public Ailment orGraver(Ailment other) {
        return other.kind.compareTo(kind) > 0 ? other : this;
    }
}
