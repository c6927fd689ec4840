package io.fencedlease.lease.consul;

import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import io.fencedlease.lease.consul.SimulatedSessions.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** The TTL timers. They are the leader's own: another one begins them all again. */
final class SimulatedExpiry {

    private final Ticker ticker;
    private final Timers timers;
    private final Random random;
    private final SimulatedLog log;
    private final Map<String, Long> deadlines = new HashMap<>();
    private double least = 2;
    private double most = 2;
    private boolean suspended;
    private long term;

    SimulatedExpiry(Ticker ticker, Timers timers, Random random, SimulatedLog log) {
        this.ticker = ticker;
        this.timers = timers;
        this.random = random;
        this.log = log;
    }

    void between(double leastTtls, double mostTtls) {
        least = leastTtls;
        most = mostTtls;
    }

    /** Created, or renewed. */
    void arm(Session session) {
        if (session.ttlNanos() == 0) {
            return;
        }
        double factor = least + (most - least) * random.nextDouble();
        long left = (long) (session.ttlNanos() * factor);
        if (deadlines.put(session.id(), ticker.nanos() + left) == null) {
            schedule(session.id(), left, term);
        }
    }

    private void schedule(String id, long nanos, long ofTerm) {
        timers.after(Duration.ofNanos(nanos), () -> due(id, ofTerm));
    }

    private void due(String id, long ofTerm) {
        Long deadline = deadlines.get(id);
        if (deadline == null || ofTerm != term || suspended) {
            return;
        }
        long left = deadline - ticker.nanos();
        if (left > 0) {
            schedule(id, left, ofTerm);
        } else {
            deadlines.remove(id);
            log.store.sessions.find(id).ifPresent(log::end);
        }
    }

    /** A new leader, or other sessions: everything is counted anew. */
    void restart() {
        forget();
        log.store.sessions.all().forEach(this::arm);
    }

    /** There is no leader. */
    void forget() {
        term++;
        deadlines.clear();
    }

    /** The process stands still. */
    void suspend() {
        suspended = true;
    }

    /** It goes on, and what became due meanwhile is due now; a timer that rang meanwhile is set again. */
    void resume() {
        suspended = false;
        term++;
        Map.copyOf(deadlines).keySet().stream().sorted().forEach(id -> due(id, term));
    }
}
