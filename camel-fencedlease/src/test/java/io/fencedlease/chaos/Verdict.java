package io.fencedlease.chaos;

import io.fencedlease.chaos.ChaosNodes.Life;
import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Fact;
import io.fencedlease.chaos.NodeLine.Kind;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.simulation.Checker;
import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Violation;
import io.fencedlease.simulation.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Judges a run: by the same checker as the simulation, and by what only real processes can show, that their journals and
 * the database and the files agree. Each life of a node is a node to the checker.
 */
final class Verdict {

    private static final Bounds BOUNDS =
            new Bounds(ChaosNode.TIMES.beliefSpan(), Duration.ZERO, ChaosRun.PATIENCE, Duration.ZERO, fault -> true);

    private final Outcome outcome;
    private final Predicate<String> fenced;
    private final History history = new History();
    /** By the name of the life, lease and token. */
    private final Map<String, Tenure> tenures = new HashMap<>();
    /** By nonce. */
    private final Map<String, String> owners = new HashMap<>();

    private final Map<String, Long> firstWrite;

    private Verdict(Outcome outcome) {
        this.outcome = outcome;
        fenced = ChaosSink.fenced(outcome.options().sink());
        firstWrite = outcome.facts().stream()
                .filter(fact -> !fact.raise())
                .collect(Collectors.toMap(Fact::nonce, Fact::nanos, Math::min));
    }

    /** One line for each violation: the rule, and what broke it. */
    static List<String> of(Outcome outcome) {
        List<String> violations = new ArrayList<>();
        byChecker(outcome).forEach(violation -> violations.add(violation.toString()));
        whatWasAcknowledgedIsThereAndWhatWasRefusedIsNot(outcome, violations);
        return violations;
    }

    /** How many of each rule. */
    static Map<String, Long> rules(List<String> violations) {
        return violations.stream().collect(Collectors.groupingBy(Verdict::rule, TreeMap::new, Collectors.counting()));
    }

    static String rule(String violation) {
        return violation.substring(0, violation.indexOf(':'));
    }

    static List<Violation> byChecker(Outcome outcome) {
        return new Checker(BOUNDS).check(new Verdict(outcome).history());
    }

    private History history() {
        outcome.lives().forEach(this::began);
        outcome.said().forEach(this::said);
        outcome.facts().forEach(this::fact);
        outcome.lives().stream().filter(Life::killed).forEach(this::killed);
        outcome.struck().forEach(struck -> {
            String what = struck.fault().name();
            history.add(struck.from(), History.Kind.FAULT_BEGUN, struck.target(), "", what);
            history.add(struck.to(), History.Kind.FAULT_ENDED, struck.target(), "", what);
        });
        outcome.sessionsLeft().forEach(id -> history.add(outcome.ended(), History.Kind.SESSION_OPENED, "", "", id));
        history.add(outcome.ended(), History.Kind.ENDED, "", "", "");
        return history;
    }

    private void began(Life life) {
        outcome.options()
                .leasesOf(life.node())
                .forEach(lease -> history.add(life.from(), History.Kind.ASKED, life.name(), lease, ""));
    }

    private void said(Said said) {
        NodeLine line = said.line();
        String key = said.name() + " " + line.lease() + " " + line.token();
        if (line.kind() == Kind.TENURE) {
            Tenure tenure = new Tenure(new LeaseName(line.lease()), new FencingToken(line.token()), line.text());
            tenures.put(key, tenure);
            owners.put(tenure.nonce(), said.name());
            // the moments of the database come from another clock
            long at = Math.min(line.nanos(), firstWrite.getOrDefault(tenure.nonce(), Long.MAX_VALUE) - 1);
            history.add(at, History.Kind.GAINED, said.name(), tenure, "");
            if (fenced.test(line.lease())) {
                // where no database numbers the raises: here it had returned
                history.add(line.nanos(), History.Kind.RAISED, said.name(), tenure, ChaosSink.FILES);
            }
            return;
        }
        Tenure tenure = tenures.get(key);
        switch (line.kind()) {
            case LOST -> history.add(line.nanos(), History.Kind.LOST, said.name(), tenure, line.text());
            case EMPTY -> {
                history.add(line.nanos(), History.Kind.CLOSED, said.name(), tenure, "");
                history.add(line.nanos(), History.Kind.ASKED, said.name(), line.lease(), "");
            }
            case REFUSED -> history.add(line.nanos(), History.Kind.WRITE_REFUSED, said.name(), tenure, line.resource());
            default -> {
                // a write that was accepted is told by the database
            }
        }
    }

    private void fact(Fact fact) {
        Tenure tenure = new Tenure(new LeaseName(fact.lease()), new FencingToken(fact.token()), fact.nonce());
        String node = owners.getOrDefault(fact.nonce(), "");
        History.Kind kind = fact.raise() ? History.Kind.RAISED : History.Kind.WRITE_ACCEPTED;
        history.add(fact.from(), fact.nanos(), kind, node, tenure, fact.resource());
    }

    /** What it held is held no longer, and nobody was told. */
    private void killed(Life life) {
        Map<String, Tenure> open = new HashMap<>(tenures);
        outcome.said().stream()
                .filter(said -> said.line().kind() == Kind.LOST)
                .forEach(said -> open.remove(said.name() + " " + said.line().lease() + " "
                        + said.line().token()));
        open.forEach((key, tenure) -> {
            if (key.startsWith(life.name() + " ")) {
                history.add(life.to(), History.Kind.LOST, life.name(), tenure, "killed");
            }
        });
        history.add(life.to(), History.Kind.NODE_KILLED, life.name(), "", "");
    }

    private static void whatWasAcknowledgedIsThereAndWhatWasRefusedIsNot(Outcome outcome, List<String> violations) {
        Map<String, Fact> written = outcome.facts().stream()
                .filter(fact -> !fact.raise())
                .collect(Collectors.toMap(Fact::attempt, Function.identity()));
        for (Said said : outcome.said()) {
            boolean there = written.containsKey(said.line().attempt());
            if (said.line().kind() == Kind.WROTE && !there) {
                violations.add("ACKNOWLEDGED: a write that its node saw succeed is not there: " + said);
            }
            if (said.line().kind() == Kind.REFUSED && there) {
                violations.add("REFUSED: a write that the fence refused is there: " + said);
            }
        }
    }
}
