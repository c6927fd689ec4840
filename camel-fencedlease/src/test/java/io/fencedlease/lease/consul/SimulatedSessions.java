package io.fencedlease.lease.consul;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions, without their clocks: what is replicated of them. */
final class SimulatedSessions {

    record Session(
            String id,
            String name,
            long lockDelay,
            String behavior,
            String ttl,
            long ttlNanos,
            @Nullable List<String> nodeChecks,
            long index) {}

    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private long tableIndex;

    SimulatedSessions copy() {
        SimulatedSessions copy = new SimulatedSessions();
        copy.sessions.putAll(sessions);
        copy.tableIndex = tableIndex;
        return copy;
    }

    /** As a reader of any session is told. */
    long index() {
        return Math.max(1, tableIndex);
    }

    void add(Session session) {
        sessions.put(session.id(), session);
        tableIndex = session.index();
    }

    void remove(long index, String id) {
        if (sessions.remove(id) != null) {
            tableIndex = index;
        }
    }

    Collection<Session> all() {
        return new ArrayList<>(sessions.values());
    }

    /** Empty if there is none of this well-formed id. */
    Optional<Session> find(String id) {
        if (id.length() != 36) {
            throw SimulatedRefusal.failed("failed session lookup: index error: UUID must be 36 characters");
        }
        return Optional.ofNullable(sessions.get(id));
    }

    /** For one who wants to hold something by it. */
    void requireAlive(String id) {
        if (id.isEmpty()) {
            throw SimulatedRefusal.failed("missing session");
        }
        if (find(id).isEmpty()) {
            throw SimulatedRefusal.failed("invalid session \"" + id + "\"");
        }
    }
}
