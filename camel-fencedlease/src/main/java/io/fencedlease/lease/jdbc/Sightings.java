package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Ticker;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What this candidate has seen of other sessions, timed by its own monotonic clock alone. Thread-safe.
 *
 * <p>Every method must be called after the row was read, never with an older tick: the holder counts its TTL from before
 * its renewal, so a sighting timed before the read could precede a renewal that the row already shows.
 */
final class Sightings {

    private record Sight(long renewals, long since) {}

    private record Orphan(String session, long since) {}

    private final Ticker ticker;
    private final Map<String, Sight> sessions = new HashMap<>();
    private final Map<LeaseName, Orphan> orphans = new HashMap<>();

    Sightings(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Notes the session's counter; true once it has stood still for the session's TTL. */
    synchronized boolean expired(SessionRow session) {
        long now = ticker.nanos();
        Sight sight = sessions.get(session.id());
        if (sight == null || sight.renewals() != session.renewals()) {
            sessions.put(session.id(), new Sight(session.renewals(), now));
            return false;
        }
        return now - sight.since() >= session.ttl().toNanos();
    }

    /** Forgets the sessions that are not among these. */
    synchronized void retainSessions(Collection<String> present) {
        sessions.keySet().retainAll(present);
    }

    /** Notes a lease whose session is gone; true while lock-delay, from the first such sight, shuts it. */
    synchronized boolean shut(LeaseRow orphaned) {
        long now = ticker.nanos();
        Orphan orphan = orphans.get(orphaned.lease());
        if (orphan == null || !orphan.session().equals(orphaned.sessionId())) {
            orphan = new Orphan(orphaned.sessionId(), now);
            orphans.put(orphaned.lease(), orphan);
        }
        return now - orphan.since() < orphaned.lockDelay().toNanos();
    }

    /** The lease is held, or was released. */
    synchronized void notOrphaned(LeaseName lease) {
        orphans.remove(lease);
    }
}
