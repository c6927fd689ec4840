package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.LeaseName;
import java.time.Duration;
import java.util.Optional;

/**
 * A lease as its row shows it.
 *
 * @param sessionId empty if the lease was released or never held
 * @param session empty if there is none of that id (any more)
 */
record LeaseRow(
        LeaseName lease,
        String sessionId,
        long token,
        String nonce,
        String holder,
        Duration lockDelay,
        Optional<SessionRow> session) {

    boolean released() {
        return sessionId.isEmpty();
    }

    /** Its session ended without releasing it. */
    boolean orphaned() {
        return !released() && session.isEmpty();
    }
}
