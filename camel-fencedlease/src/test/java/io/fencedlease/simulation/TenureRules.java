package io.fencedlease.simulation;

import io.fencedlease.simulation.Checker.Findings;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.History.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokens, owners, losses and closings of tenures, each lease for itself. */
final class TenureRules implements Checker.Book {

    private record Key(String lease, long token, String nonce) {}

    private record Seat(String node, String lease) {}

    /** What a node has gained last of a lease. */
    private static final class Gained {
        private final Event event;
        private int losses;
        private boolean closed;
        private boolean killed;

        Gained(Event event) {
            this.event = event;
        }
    }

    private final Findings findings;
    private final Map<Key, String> owners = new HashMap<>();
    private final Map<Key, Gained> tenures = new HashMap<>();
    private final Map<String, Set<Long>> tokens = new HashMap<>();
    private final Map<Seat, Gained> seats = new HashMap<>();
    private final Map<String, Long> highestGained = new HashMap<>();
    private final Map<Seat, Long> highestBeforeAsking = new HashMap<>();
    private final Map<String, Long> lastGrant = new HashMap<>();

    TenureRules(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void see(Event e) {
        switch (e.kind()) {
            case ASKED -> highestBeforeAsking.put(seat(e), highestGained.getOrDefault(e.lease(), 0L));
            case GRANTED -> granted(e);
            case GAINED -> gained(e);
            case LOST -> lost(e);
            case CLOSED -> {
                Gained tenure = tenures.get(key(e));
                if (tenure != null) {
                    tenure.closed = true;
                }
            }
            case RAISE_BEGUN -> own(e);
            case WRITE_ACCEPTED, WRITE_REFUSED -> {
                if (!tenures.containsKey(key(e))) {
                    findings.broken(Rule.OWN_TENURE, "a write under a tenure nobody gained", e);
                }
                own(e);
            }
            case REWOUND -> lastGrant.clear();
            case NODE_KILLED -> killed(e.node());
            default -> {
                // not about tenures
            }
        }
    }

    private void granted(Event e) {
        Long before = lastGrant.put(e.lease(), e.token());
        if (before != null && e.token() <= before) {
            findings.broken(Rule.TOKENS_RISE, "granted after token " + before, e);
        }
    }

    private void gained(Event e) {
        if (!tokens.computeIfAbsent(e.lease(), l -> new HashSet<>()).add(e.token())) {
            findings.broken(Rule.TOKENS_RISE, "two tenures with one token", e);
        }
        long before = highestBeforeAsking.getOrDefault(seat(e), 0L);
        if (e.token() <= before) {
            findings.broken(Rule.TOKENS_RISE, "asked for after token " + before + " was gained", e);
        }
        highestGained.merge(e.lease(), e.token(), Math::max);
        own(e);
        Gained now = new Gained(e);
        tenures.put(key(e), now);
        Gained last = seats.put(seat(e), now);
        if (last != null) {
            if (last.losses == 0) {
                findings.broken(Rule.LOSS_TOLD_ONCE, "the loss before was not told: " + last.event, e);
            }
            if (!last.closed) {
                findings.broken(Rule.CLOSED_BEFORE_NEXT, "still open: " + last.event, e);
            }
        }
    }

    /** A process of the same name may begin anew. */
    private void killed(String node) {
        seats.keySet().removeIf(seat -> seat.node().equals(node));
        tenures.values().stream().filter(t -> t.event.node().equals(node)).forEach(t -> t.killed = true);
    }

    private void lost(Event e) {
        Gained tenure = tenures.get(key(e));
        if (tenure == null || ++tenure.losses > 1) {
            findings.broken(Rule.LOSS_TOLD_ONCE, tenure == null ? "lost, never gained" : "told twice", e);
        }
    }

    private void own(Event e) {
        @Nullable String owner = owners.putIfAbsent(key(e), e.node());
        if (owner != null && !owner.equals(e.node())) {
            findings.broken(Rule.OWN_TENURE, "it is a tenure of " + owner, e);
        }
    }

    @Override
    public void end(Event last) {
        if (last.kind() != History.Kind.ENDED) {
            return;
        }
        for (Gained tenure : tenures.values()) {
            if (tenure.losses == 0 && !tenure.killed) {
                findings.broken(Rule.LOSS_TOLD_ONCE, "its end was never told", tenure.event);
            }
        }
    }

    private static Key key(Event e) {
        return new Key(e.lease(), e.token(), e.nonce());
    }

    private static Seat seat(Event e) {
        return new Seat(e.node(), e.lease());
    }
}
