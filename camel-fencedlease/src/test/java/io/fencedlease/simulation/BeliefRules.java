package io.fencedlease.simulation;

import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Findings;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.History.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may believe in a lease: by the node's own clocks, and beside the service's own order. */
final class BeliefRules implements Checker.Book {

    private final Findings findings;
    private final long spanNanos;
    private final long spanMillis;
    private final Bounds bounds;
    private final Map<String, List<Tick>> sessionProofs = new HashMap<>();
    private final Map<String, List<Tick>> leaseProofs = new HashMap<>();
    private final Map<String, String> sessionOf = new HashMap<>();
    private final Map<String, Event> grants = new HashMap<>();
    private final Map<String, Event> lastGrant = new HashMap<>();
    private int voidingFaults;
    private long lastVoid = Long.MIN_VALUE;

    BeliefRules(Findings findings, Bounds bounds) {
        this.findings = findings;
        this.bounds = bounds;
        this.spanNanos = bounds.belief().toNanos();
        this.spanMillis = bounds.belief().toMillis();
    }

    @Override
    public void see(Event e) {
        switch (e.kind()) {
            case SESSION_PROVED ->
                sessionProofs.computeIfAbsent(e.what(), s -> new ArrayList<>()).add(e.ownClocks());
            case LEASE_PROVED -> {
                leaseProofs.computeIfAbsent(tenure(e), t -> new ArrayList<>()).add(e.ownClocks());
                sessionOf.putIfAbsent(tenure(e), e.what());
            }
            case GRANTED -> {
                grants.put(token(e), e);
                lastGrant.put(e.lease(), e);
            }
            case FAULT_BEGUN -> fault(e, 1);
            case FAULT_ENDED -> fault(e, -1);
            case BELIEVED -> believed(e);
            default -> {
                // nothing that could be believed
            }
        }
    }

    private void fault(Event e, int more) {
        if (bounds.voidsExclusion().test(e.what())) {
            voidingFaults += more;
            lastVoid = e.at();
        }
    }

    private void believed(Event e) {
        Tick now = e.ownClocks();
        @Nullable String session = sessionOf.get(tenure(e));
        if (session == null || !proved(leaseProofs.get(tenure(e)), now)) {
            findings.broken(Rule.BELIEF_ENDS, "no proof of the lease within " + bounds.belief(), e);
        } else if (!proved(sessionProofs.get(session), now)) {
            findings.broken(Rule.BELIEF_ENDS, "no proof of session " + session + " within " + bounds.belief(), e);
        }
        @Nullable Event own = grants.get(token(e));
        @Nullable Event last = lastGrant.get(e.lease());
        if (own != null
                && last != own
                && last != null
                && !last.node().equals(e.node())
                && voidingFaults == 0
                && lastVoid < own.at()) {
            findings.broken(Rule.EXCLUSION, "the lease was given away: " + last, e);
        }
    }

    /** Both clocks within the span since one and the same proof. */
    private boolean proved(@Nullable List<Tick> proofs, Tick now) {
        for (int i = proofs == null ? -1 : proofs.size() - 1; i >= 0; i--) {
            Tick proof = proofs.get(i);
            if (now.nanos() - proof.nanos() < spanNanos && now.wallMillis() - proof.wallMillis() < spanMillis) {
                return true;
            }
        }
        return false;
    }

    /** The service's own order may not know nonces. */
    private static String token(Event e) {
        return e.lease() + '/' + e.token();
    }

    private static String tenure(Event e) {
        return e.lease() + '/' + e.token() + '/' + e.nonce();
    }
}
