package io.fencedlease.chaos;

import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Fact;
import io.fencedlease.chaos.NodeLine.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What only real processes can show: that their journals and the database agree. */
final class Verdict {

    private final Outcome outcome;
    private final List<String> violations = new ArrayList<>();

    private Verdict(Outcome outcome) {
        this.outcome = outcome;
    }

    /** One line for each violation: the rule, and what broke it. */
    static List<String> of(Outcome outcome) {
        Verdict verdict = new Verdict(outcome);
        verdict.tokensNeverGoDown();
        verdict.whatWasAcknowledgedIsThereAndWhatWasRefusedIsNot();
        verdict.eachLossIsSignalledOnceAndBeforeTheNextGain();
        return verdict.violations;
    }

    private void tokensNeverGoDown() {
        Map<String, Fact> highest = new HashMap<>();
        for (Fact fact : outcome.facts()) {
            Fact before = highest.get(fact.lease());
            if (before != null && fact.token() < before.token()) {
                violations.add("no write below a higher token or a done raise: " + fact + " after " + before);
            } else {
                highest.put(fact.lease(), fact);
            }
        }
    }

    private void whatWasAcknowledgedIsThereAndWhatWasRefusedIsNot() {
        Map<String, Fact> written = outcome.facts().stream()
                .filter(fact -> !fact.raise())
                .collect(Collectors.toMap(Fact::attempt, Function.identity()));
        for (Said said : outcome.said()) {
            boolean there = written.containsKey(said.line().attempt());
            if (said.line().kind() == Kind.WROTE && !there) {
                violations.add("what was acknowledged is there: " + said);
            }
            if (said.line().kind() == Kind.REFUSED && there) {
                violations.add("what was refused is not there: " + said);
            }
        }
    }

    private void eachLossIsSignalledOnceAndBeforeTheNextGain() {
        Map<String, Said> open = new HashMap<>();
        Set<String> lost = new HashSet<>();
        for (Said said : outcome.said()) {
            String place = said.node() + "." + said.life() + " " + said.line().lease();
            String tenure = place + " " + said.line().token();
            if (said.line().kind() == Kind.TENURE && open.put(place, said) != null) {
                violations.add("a loss before the next gain: " + said);
            }
            if (said.line().kind() == Kind.LOST) {
                if (!lost.add(tenure)) {
                    violations.add("a loss is signalled once: " + said);
                }
                open.remove(place);
            }
        }
    }
}
