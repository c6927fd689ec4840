package io.fencedlease.simulation;

import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Findings;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.History.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must come about in the end: a holder, and no session left. */
final class LivenessRules implements Checker.Book {

    private final Findings findings;
    private final Bounds bounds;
    private final Set<String> openSessions = new LinkedHashSet<>();
    private final Map<String, Long> firstAsked = new HashMap<>();
    /** Per lease the moments of gain and, later, of loss. */
    private final Map<String, List<long[]>> held = new HashMap<>();

    private final Map<String, long[]> open = new HashMap<>();
    private final Set<String> judged = new HashSet<>();
    private int faults;
    private long healed = Long.MIN_VALUE / 2;
    private boolean rewound;

    LivenessRules(Findings findings, Bounds bounds) {
        this.findings = findings;
        this.bounds = bounds;
    }

    @Override
    public void see(Event e) {
        judge(e);
        switch (e.kind()) {
            case SESSION_OPENED -> openSessions.add(e.what());
            case SESSION_ENDED -> openSessions.remove(e.what());
            case ASKED -> firstAsked.putIfAbsent(e.lease(), e.at());
            case GAINED -> {
                long[] span = {e.at(), Long.MAX_VALUE};
                held.computeIfAbsent(e.lease(), l -> new ArrayList<>()).add(span);
                open.put(tenure(e), span);
            }
            case LOST -> {
                long[] span = open.remove(tenure(e));
                if (span != null) {
                    span[1] = e.at();
                }
            }
            case FAULT_BEGUN -> {
                faults++;
                judged.clear();
            }
            case FAULT_ENDED -> {
                faults--;
                healed = e.at();
                judged.clear();
            }
            case REWOUND -> rewound = true;
            case ENDED ->
                openSessions.forEach(session -> findings.broken(Rule.NO_LEAK, "session " + session + " is left", e));
            default -> {
                // neither a holder nor a session
            }
        }
    }

    /** Once the bound is over: was the lease held at any moment since? */
    private void judge(Event now) {
        if (faults > 0 || rewound) {
            return;
        }
        firstAsked.forEach((lease, asked) -> {
            long from = Math.max(asked, healed);
            if (now.at() - from <= bounds.liveness().toNanos() || !judged.add(lease)) {
                return;
            }
            boolean somebody = held.getOrDefault(lease, List.of()).stream().anyMatch(span -> span[1] >= from);
            if (!somebody) {
                findings.broken(Rule.LIVENESS, "nobody held '" + lease + "' for " + bounds.liveness(), now);
            }
        });
    }

    private static String tenure(Event e) {
        return e.node() + '/' + e.lease() + '/' + e.token() + '/' + e.nonce();
    }
}
