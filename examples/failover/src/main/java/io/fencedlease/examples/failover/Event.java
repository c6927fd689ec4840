package io.fencedlease.examples.failover;

/**
 * One thing that happened, as the director saw it.
 *
 * @param millis since the demo began, by the director's clock
 * @param node which node; empty: the demo itself
 * @param token of the tenure it is about; 0 if none
 * @param batch the batch it is about; 0 if none
 */
record Event(long millis, String node, Type type, long token, int batch, String text) {

    /** What it was. */
    enum Type {
        /** The director says what it does. */
        NOTE,
        /** A JVM was started. */
        STARTED,
        /** It competes for the lease. */
        CANDIDATE,
        /** A tenure began: its fences are raised, its route runs. */
        ACQUIRED,
        /** The database has accepted a write. */
        ACCEPTED,
        /** The database has accepted a write of an earlier tenure. */
        STALE,
        /** A write was not accepted. */
        REFUSED,
        /** It waits at the chosen point for its pause. */
        AT_POINT,
        /** SIGSTOP. */
        PAUSED,
        /** SIGCONT. */
        RESUMED,
        /** A tenure ended though its node had not asked for it. */
        LOST,
        /** A tenure ended in order. */
        RELEASED,
        /** A tenure began elsewhere; the text has the time it took and the bound. */
        TOOK_OVER,
        /** Its log has a warning about the lease. */
        WARNS,
        /** SIGTERM: the node drains, releases, ends. */
        STOPPING,
        /** The JVM has ended. */
        ENDED
    }

    String seconds() {
        return "%5.1f s".formatted(millis / 1000.0);
    }
}
