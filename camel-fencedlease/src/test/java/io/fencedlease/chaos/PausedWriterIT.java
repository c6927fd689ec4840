package io.fencedlease.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Writer;
import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.chaos.NodeLine.Kind;
import io.fencedlease.faults.Alone;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.Checker.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a stale write is refused by the fence; under the leases without one it is accepted, and the checker sees it. Method: a holder is
 * stopped while it writes, and goes on when its successor has written.
 */
@NeedsConsul
@Alone
class PausedWriterIT {

    private static final String LEASE = "first";

    /** Most of the time a write waits for its connection, and a file for its end: sooner or later a pause meets one. */
    private static final int ROUNDS = 15;

    @Test
    void theFenceRefusesAStaleWriteAndWithoutItTheCheckerSeesOne() throws Exception {
        ChaosOptions options = ChaosOptions.scripted("paused-writer", "half");
        Outcome outcome;
        try (ChaosRun run = new ChaosRun(options)) {
            outcome = run.run(PausedWriterIT::pauseUntilItMattered);
        }
        List<Violation> violations = Verdict.byChecker(outcome);
        ChaosPage.write(outcome, Verdict.of(outcome));

        assertThat(outcome.said()).anyMatch(PausedWriterIT::refusedAtOnce).anyMatch(PausedWriterIT::fileRefused);
        for (String resource : List.of(ChaosSink.DATABASE, ChaosSink.FILES)) {
            assertThat(violations)
                    .filteredOn(violation -> violation.event().what().equals(resource))
                    .extracting(Violation::rule)
                    .contains(Rule.MARK_ONLY_RISES);
        }
        assertThat(violations).extracting(v -> v.event().lease()).doesNotContain(LEASE);
        assertThat(violations).extracting(Violation::rule).containsOnly(Rule.MARK_ONLY_RISES, Rule.RAISED_FIRST);
    }

    private static List<Struck> pauseUntilItMattered(Scene scene) {
        for (int round = 0; round < ROUNDS && !mattered(scene); round++) {
            Writer holder = scene.judge().lastWriter(LEASE).orElseThrow();
            scene.nodes().pause(holder.node());
            scene.expelHolder(LEASE);
            eventually(() -> scene.judge().lastWriter(LEASE).orElseThrow().token() > holder.token());
            scene.nodes().resume(holder.node());
            eventually(() -> ended(scene, holder));
        }
        return List.of();
    }

    private static boolean mattered(Scene scene) {
        List<Said> said = scene.nodes().said();
        return scene.judge().staleWrites() > 0
                && said.stream().anyMatch(PausedWriterIT::refusedAtOnce)
                && scene.files().staleFiles() > 0
                && said.stream().anyMatch(PausedWriterIT::fileRefused);
    }

    /** Not because its transaction had been ended already. */
    private static boolean refusedAtOnce(Said said) {
        return said.line().kind() == Kind.REFUSED
                && said.line().text().isEmpty()
                && said.line().resource().equals(ChaosSink.DATABASE);
    }

    private static boolean fileRefused(Said said) {
        return said.line().kind() == Kind.REFUSED && said.line().resource().equals(ChaosSink.FILES);
    }

    /** Whether this tenure is over, with all that was under way. */
    private static boolean ended(Scene scene, Writer holder) {
        return scene.nodes().said().stream()
                .filter(said -> said.node().equals(holder.node()))
                .map(Said::line)
                .filter(line -> line.lease().equals(LEASE) && line.token() == holder.token())
                .anyMatch(line -> line.kind() == Kind.EMPTY);
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition);
    }
}
