package io.fencedlease.lease;

/**
 * Why a tenure ended: a kind for programs, a detail for people.
 *
 * @param detail one line, without secrets
 */
public record LossReason(Kind kind, String detail) {

    /** Who decided. */
    public enum Kind {
        /** The coordination service said that the session is gone. */
        SESSION_GONE,
        /** A consistent read shows the lease free or with another holder. */
        LEASE_TAKEN,
        /** The lease still shows our session, but somebody wrote its entry. */
        ENTRY_MOVED,
        /** No proof came back in time: the local deadline passed. The service may think otherwise. */
        DEADLINE_PASSED,
        /** This node stood down by itself, before its work had ended. */
        STOOD_DOWN,
        /** {@link Lease#close()}: the planned end. */
        CLOSED
    }

    @Override
    public String toString() {
        return kind + " (" + detail + ")";
    }
}
