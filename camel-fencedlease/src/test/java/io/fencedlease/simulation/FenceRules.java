package io.fencedlease.simulation;

import io.fencedlease.simulation.Checker.Findings;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.History.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What marked resources accept, each (lease, resource) for itself. */
final class FenceRules implements Checker.Book {

    private record Mark(String lease, String resource) {}

    private record Raised(String node, Mark mark, long token, String nonce) {}

    /** What took effect at one resource, with the highest token up to each. */
    private static final class Log {
        private final List<Event> effects = new ArrayList<>();
        private final List<Event> highest = new ArrayList<>();
        private final Map<Long, String> nonces = new HashMap<>();
    }

    private final Findings findings;
    private final Map<Mark, Log> logs = new HashMap<>();
    private final Set<Raised> raised = new HashSet<>();

    FenceRules(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void see(Event e) {
        switch (e.kind()) {
            case RAISED -> {
                raised.add(raised(e));
                effect(e);
            }
            case WRITE_ACCEPTED -> {
                triedAfterRaise(e);
                effect(e);
            }
            case WRITE_REFUSED -> triedAfterRaise(e);
            default -> {
                // no fence in it
            }
        }
    }

    private void triedAfterRaise(Event e) {
        if (!raised.contains(raised(e))) {
            findings.broken(Rule.RAISED_FIRST, "a write is tried, its fence was not raised", e);
        }
    }

    private void effect(Event e) {
        Log log = logs.computeIfAbsent(mark(e), m -> new Log());
        int certainlyBefore = e.isInstant() ? log.effects.size() : before(log, e.from());
        if (certainlyBefore > 0) {
            Event high = log.highest.get(certainlyBefore - 1);
            if (e.token() < high.token()) {
                findings.broken(Rule.MARK_ONLY_RISES, "it took effect after " + high, e);
            }
        }
        String nonce = log.nonces.putIfAbsent(e.token(), e.nonce());
        if (nonce != null && !nonce.equals(e.nonce())) {
            findings.broken(Rule.MARK_ONLY_RISES, "another tenure of this token had effect, nonce " + nonce, e);
        }
        Event high = log.highest.isEmpty() ? e : log.highest.get(log.highest.size() - 1);
        log.effects.add(e);
        log.highest.add(e.token() > high.token() ? e : high);
    }

    /** How many effects were over before this moment. */
    private static int before(Log log, long moment) {
        int low = 0;
        int high = log.effects.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (log.effects.get(middle).at() < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static Mark mark(Event e) {
        return new Mark(e.lease(), e.what());
    }

    private static Raised raised(Event e) {
        return new Raised(e.node(), mark(e), e.token(), e.nonce());
    }
}
