package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads leases as a candidate must: noting what it sees, and ending sessions that were not renewed for their TTL. */
final class Observer {

    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

    private static final int NAMES_A_QUERY = 500;

    private final Sightings sightings;

    Observer(Sightings sightings) {
        this.sightings = sightings;
    }

    /** Who has each of these, as the session that asks sees it. */
    Map<LeaseName, Holding> read(Tables tables, String self, List<LeaseName> leases) {
        endUnrenewed(tables, self);
        Map<LeaseName, Holding> answer = new HashMap<>();
        leases.forEach(lease -> answer.put(lease, new Holding.Free()));
        for (int from = 0; from < leases.size(); from += NAMES_A_QUERY) {
            int to = Math.min(leases.size(), from + NAMES_A_QUERY);
            tables.leases(leases.subList(from, to)).forEach(row -> answer.put(row.lease(), holding(row)));
        }
        return answer;
    }

    /** Why this lease, not ours, cannot be taken now. */
    Optional<Acquisition> obstacle(Tables tables, LeaseRow row) {
        if (row.released()) {
            sightings.notOrphaned(row.lease());
            return Optional.empty();
        }
        if (row.session().isPresent() && !ended(tables, row.session().get())) {
            sightings.notOrphaned(row.lease());
            return Optional.of(new Acquisition.HeldElsewhere(row.holder()));
        }
        return sightings.shut(row) ? Optional.of(new Acquisition.LockDelayed()) : Optional.empty();
    }

    private Holding holding(LeaseRow row) {
        if (row.orphaned()) {
            sightings.shut(row);
            return new Holding.Free();
        }
        sightings.notOrphaned(row.lease());
        return row.released()
                ? new Holding.Free()
                : new Holding.Held(row.sessionId(), row.token(), row.nonce(), row.holder());
    }

    /** All sessions, also those without a lease: nobody else would ever remove the row of a crashed candidate. */
    private void endUnrenewed(Tables tables, String self) {
        List<SessionRow> sessions = tables.sessions();
        sightings.retainSessions(sessions.stream().map(SessionRow::id).toList());
        sessions.stream().filter(session -> !session.id().equals(self)).forEach(session -> ended(tables, session));
    }

    /** Whether this session, seen a moment ago, is expired and by now ended. */
    private boolean ended(Tables tables, SessionRow session) {
        if (!sightings.expired(session) || !tables.endUnrenewed(session)) {
            return false;
        }
        LOG.info(
                "session {} of '{}' ended by this candidate: seen unrenewed for its TTL of {} ms",
                session.id(),
                session.holder(),
                session.ttl().toMillis());
        return true;
    }
}
