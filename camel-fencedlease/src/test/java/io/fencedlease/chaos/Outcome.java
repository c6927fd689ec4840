package io.fencedlease.chaos;

import io.fencedlease.chaos.ChaosNodes.Life;
import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Fact;
import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.chaos.NodeLine.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All that happened in a run. Moments are of {@link System#nanoTime()}.
 *
 * @param facts what the database committed and what was published as a file, each in its order
 * @param began when the nemesis began
 * @param calm when it had healed its last fault
 * @param heldAgain for each lease, when a write after that was seen
 * @param ended when all nodes had ended and Consul had had its time
 * @param sessionsLeft what Consul still had then
 */
record Outcome(
        ChaosOptions options,
        List<Fact> facts,
        List<Said> said,
        List<Life> lives,
        List<Struck> struck,
        long began,
        long calm,
        Map<String, Long> heldAgain,
        long ended,
        List<String> sessionsLeft) {

    long count(Kind kind) {
        return said.stream().filter(s -> s.line().kind() == kind).count();
    }

    /** From the end of all faults until the last lease was written under again. */
    long millisToCalm() {
        return TimeUnit.NANOSECONDS.toMillis(
                heldAgain.values().stream().mapToLong(at -> at - calm).max().orElse(0));
    }

    Map<Fault, Long> faults() {
        return struck.stream()
                .collect(Collectors.groupingBy(Struck::fault, () -> new EnumMap<>(Fault.class), Collectors.counting()));
    }

    /** For people. */
    String summary() {
        return """
                seed %d, %d s of faults, sink %s
                faults: %s
                tenures: %d, by reason of their end: %s; raises of the marks: %d
                writes accepted: %s; refused by the fence: %d; failed otherwise: %s
                all %d leases written under again %d ms after the last fault was healed
                again: %s
                """.formatted(
                        options.seed(),
                        options.time().toSeconds(),
                        options.sink(),
                        faults(),
                        count(Kind.TENURE),
                        texts(Kind.LOST),
                        facts.stream().filter(Fact::raise).count(),
                        accepted(),
                        count(Kind.REFUSED),
                        texts(Kind.FAILED),
                        heldAgain.size(),
                        millisToCalm(),
                        options.again());
    }

    /** By resource. */
    private Map<String, Long> accepted() {
        return facts.stream()
                .filter(fact -> !fact.raise())
                .collect(Collectors.groupingBy(Fact::resource, TreeMap::new, Collectors.counting()));
    }

    private Map<String, Long> texts(Kind kind) {
        return said.stream()
                .map(Said::line)
                .filter(line -> line.kind() == kind)
                .map(NodeLine::text)
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }
}
