package io.fencedlease.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.chaos.NodeLine.Kind;
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
class PausedWriterIT {

    private static final String LEASE = "first";

    private static final String KEY = "fencedlease/leases/" + LEASE;

    /** Nearly half of the time some write is under way: sooner or later a pause meets one. */
    private static final int ROUNDS = 20;

    @Test
    void theFenceRefusesAStaleWriteAndWithoutItTheCheckerSeesOne() throws Exception {
        ChaosOptions options = ChaosOptions.scripted("paused-writer", "half");
        Outcome outcome;
        try (ChaosRun run = new ChaosRun(options)) {
            outcome = run.run(PausedWriterIT::pauseUntilItMattered);
        }
        List<Violation> violations = Verdict.byChecker(outcome);
        ChaosPage.write(outcome, Verdict.of(outcome));

        assertThat(outcome.said()).anyMatch(said -> said.line().kind() == Kind.REFUSED);
        assertThat(violations).extracting(Violation::rule).contains(Rule.MARK_ONLY_RISES);
        assertThat(violations).extracting(v -> v.event().lease()).doesNotContain(LEASE);
        assertThat(violations).extracting(Violation::rule).containsOnly(Rule.MARK_ONLY_RISES, Rule.RAISED_FIRST);
    }

    private static List<Struck> pauseUntilItMattered(Scene scene) {
        for (int round = 0; round < ROUNDS && !mattered(scene); round++) {
            String holder = scene.judge().lastWriter(LEASE);
            long ended = ended(scene, holder);
            scene.nodes().pause(holder);
            String session = scene.consul()
                    .admin()
                    .entry(KEY)
                    .orElseThrow()
                    .path("Session")
                    .asText();
            scene.consul().admin().destroySession(session);
            eventually(() -> !scene.judge().lastWriter(LEASE).equals(holder));
            scene.nodes().resume(holder);
            eventually(() -> ended(scene, holder) > ended);
        }
        return List.of();
    }

    private static boolean mattered(Scene scene) {
        return scene.judge().staleWrites() > 0
                && scene.nodes().said().stream().anyMatch(said -> said.line().kind() == Kind.REFUSED);
    }

    /** How many tenures of this node are over, with all that was under way. */
    private static long ended(Scene scene, String node) {
        return scene.nodes().said().stream()
                .filter(said -> said.node().equals(node))
                .filter(said -> said.line().lease().equals(LEASE))
                .filter(said -> said.line().kind() == Kind.EMPTY)
                .count();
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition);
    }
}
