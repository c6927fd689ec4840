package io.fencedlease.simulation;

import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Findings;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.History.Event;
import io.fencedlease.simulation.History.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** What a planned stop promises while nothing is broken and nothing was lately. */
final class CalmRules implements Checker.Book {

    private record Seat(String node, String lease) {}

    private final Findings findings;
    private final Bounds bounds;
    private int faults;
    private long lastFault = Long.MIN_VALUE / 2;
    /** Planned stops whose work has not ended. */
    private final Map<Seat, Event> stopping = new HashMap<>();
    /** Closed after a planned stop in the calm, by lease; nobody has gained since. */
    private final Map<String, Event> closed = new HashMap<>();

    private final Map<Seat, Long> asked = new HashMap<>();
    private final Set<Seat> plannedInTheCalm = new HashSet<>();

    CalmRules(Findings findings, Bounds bounds) {
        this.findings = findings;
        this.bounds = bounds;
    }

    @Override
    public void see(Event e) {
        overdue(e);
        switch (e.kind()) {
            case FAULT_BEGUN -> {
                faults++;
                disturbed(e);
            }
            case FAULT_ENDED -> {
                faults--;
                disturbed(e);
            }
            case NODE_KILLED -> {
                disturbed(e);
                asked.keySet().removeIf(seat -> seat.node().equals(e.node()));
            }
            case ASKED -> asked.put(seat(e), e.at());
            case WITHDRAWN -> {
                asked.remove(seat(e));
                closed.remove(e.lease()); // whoever else waits: the hand-over is not the plain one any more
            }
            case PLANNED -> {
                if (faults == 0 && e.at() - lastFault > bounds.settling().toNanos()) {
                    plannedInTheCalm.add(seat(e));
                    stopping.put(seat(e), e);
                }
            }
            case STOPPED -> stopping.remove(seat(e));
            case CLOSED -> {
                if (plannedInTheCalm.remove(seat(e)) && somebodyWaits(e)) {
                    closed.put(e.lease(), e);
                }
            }
            case GAINED -> gained(e);
            case ENDED -> closed.clear();
            default -> {
                // not about planned stops
            }
        }
    }

    private void disturbed(Event e) {
        lastFault = e.at();
        stopping.clear();
        closed.clear();
        plannedInTheCalm.clear();
    }

    private void gained(Event e) {
        asked.remove(seat(e));
        closed.remove(e.lease());
        stopping.forEach((seat, planned) -> {
            if (seat.lease().equals(e.lease()) && !seat.node().equals(e.node()) && e.from() > planned.at()) {
                findings.broken(Rule.PLANNED_STOP, "work still runs under " + planned, e);
            }
        });
    }

    private boolean somebodyWaits(Event e) {
        return asked.entrySet().stream()
                .anyMatch(a -> a.getKey().lease().equals(e.lease())
                        && !a.getKey().node().equals(e.node())
                        && e.at() - a.getValue() > bounds.settling().toNanos());
    }

    private void overdue(Event now) {
        Iterator<Event> all = closed.values().iterator();
        while (all.hasNext()) {
            Event event = all.next();
            if (now.at() - event.at() > bounds.handOver().toNanos() && now.kind() != Kind.FAULT_BEGUN) {
                findings.broken(Rule.HAND_OVER, "nobody holds " + bounds.handOver() + " after " + event, now);
                all.remove();
            }
        }
    }

    private static Seat seat(Event e) {
        return new Seat(e.node(), e.lease());
    }
}
