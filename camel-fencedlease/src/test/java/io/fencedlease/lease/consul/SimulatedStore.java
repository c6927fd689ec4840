package io.fencedlease.lease.consul;

import io.fencedlease.lease.consul.SimulatedKeys.Entry;
import io.fencedlease.lease.consul.SimulatedSessions.Session;
import java.util.List;

/** All that a snapshot contains. */
final class SimulatedStore {

    final SimulatedKeys keys;
    final SimulatedSessions sessions;
    private long index;
    private boolean former;

    private SimulatedStore(SimulatedKeys keys, SimulatedSessions sessions, long index) {
        this.keys = keys;
        this.sessions = sessions;
        this.index = index;
    }

    /** Of a cluster that was just built: a few entries of its own are in the log. */
    static SimulatedStore empty() {
        return new SimulatedStore(new SimulatedKeys(), new SimulatedSessions(), 8);
    }

    SimulatedStore copy() {
        return new SimulatedStore(keys.copy(), sessions.copy(), index);
    }

    /** The state as it was, which changes no more. */
    SimulatedStore asFormer() {
        SimulatedStore copy = copy();
        copy.former = true;
        return copy;
    }

    boolean isFormer() {
        return former;
    }

    long index() {
        return index;
    }

    /** The index of the next entry of the log; whatever is proposed takes one, also what changes nothing. */
    long next() {
        return ++index;
    }

    /** The log never goes back, whatever is restored. */
    void goOnFrom(long other) {
        index = Math.max(index, other);
    }

    /** Answers the keys that the session held. */
    List<String> end(Session session) {
        long at = next();
        sessions.remove(at, session.id());
        List<Entry> held = keys.heldBy(session.id());
        for (Entry entry : held) {
            if (session.behavior().equals("delete")) {
                keys.delete(at, entry.key());
            } else {
                keys.released(at, entry);
            }
        }
        return held.stream().map(Entry::key).toList();
    }
}
