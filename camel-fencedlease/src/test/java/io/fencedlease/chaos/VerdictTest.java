package io.fencedlease.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.chaos.ChaosNodes.Life;
import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Fact;
import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.chaos.NodeLine.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs that were made bad on purpose are refused, each for its reason. */
class VerdictTest {

    private static final String LEASE = "own-a";

    private final List<Said> said = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final List<Life> lives = new ArrayList<>();
    private final List<String> sessionsLeft = new ArrayList<>();
    private String sink = "fenced";

    @Test
    void aGoodRunIsGood() {
        tenure(1, 10, 7);
        lost(1, 20, 7);
        tenure(2, 30, 9);
        says(2, 31, Kind.REFUSED, 9, "a.2.77");
        lost(2, 40, 9);
        assertBroken();
    }

    @Test
    void aKilledNodeNeedNotTellItsLoss() {
        tenure(1, 10, 7);
        lives.add(new Life("a", 1, seconds(1), seconds(12), true));
        tenure(2, 30, 9);
        lost(2, 40, 9);
        assertBroken();
    }

    @Test
    void aWriteBelowARaisedMark() {
        tenure(1, 10, 7);
        lost(1, 20, 7);
        tenure(2, 30, 9);
        writes(1, 32, 7);
        lost(2, 40, 9);
        assertBroken("MARK_ONLY_RISES");
    }

    @Test
    void aFilePublishedBelowARaisedMark() {
        tenure(1, 10, 7);
        publishes(11, 12, 7);
        lost(1, 20, 7);
        tenure(2, 30, 9);
        publishes(29, 32, 7);
        assertThat(Verdict.of(outcome(60))).hasSize(1);
        publishes(31, 32, 7);
        lost(2, 40, 9);
        assertBroken("MARK_ONLY_RISES");
    }

    @Test
    void aFileOfALeaseWithoutAFence() {
        sink = "unfenced";
        tenure(1, 10, 7);
        publishes(11, 12, 7);
        lost(1, 20, 7);
        assertBroken("RAISED_FIRST");
    }

    @Test
    void aWriteWithoutARaise() {
        says(1, 10, Kind.TENURE, 7, "");
        writes(1, 11, 7);
        lost(1, 20, 7);
        assertBroken("RAISED_FIRST");
    }

    @Test
    void aLossThatWasNotToldBeforeTheNextGain() {
        tenure(1, 10, 7);
        tenure(1, 30, 9);
        lost(1, 40, 9);
        assertBroken("LOSS_TOLD_ONCE", "CLOSED_BEFORE_NEXT", "LOSS_TOLD_ONCE");
    }

    @Test
    void aLossThatWasToldTwice() {
        tenure(1, 10, 7);
        says(1, 15, Kind.LOST, 7, "");
        lost(1, 20, 7);
        assertBroken("LOSS_TOLD_ONCE");
    }

    @Test
    void aTenureThatBeganWhileTheOneBeforeStillWorked() {
        tenure(1, 10, 7);
        says(1, 20, Kind.LOST, 7, "");
        tenure(1, 30, 9);
        lost(1, 40, 9);
        assertBroken("CLOSED_BEFORE_NEXT");
    }

    @Test
    void anAcknowledgedWriteThatIsNotThere() {
        tenure(1, 10, 7);
        says(1, 12, Kind.WROTE, 7, "a.1.5");
        lost(1, 20, 7);
        assertBroken("ACKNOWLEDGED");
    }

    @Test
    void aRefusedWriteThatIsThere() {
        tenure(1, 10, 7);
        writes(1, 12, 7);
        says(1, 13, Kind.REFUSED, 7, facts.get(facts.size() - 1).attempt());
        lost(1, 20, 7);
        assertBroken("REFUSED");
    }

    @Test
    void aSessionThatDoesNotEnd() {
        tenure(1, 10, 7);
        lost(1, 20, 7);
        sessionsLeft.add("17");
        assertBroken("NO_LEAK");
    }

    @Test
    void aLeaseThatNobodyHoldsAfterTheFaults() {
        tenure(1, 10, 7);
        lost(1, 20, 7);
        List<String> violations = Verdict.of(outcome(180));
        assertThat(violations).hasSize(4).allMatch(violation -> violation.startsWith("LIVENESS"));
    }

    private void tenure(int life, long at, long token) {
        says(life, at, Kind.TENURE, token, "");
        long raised = seconds(at) - 1;
        facts.add(new Fact(ChaosSink.DATABASE, facts.size(), true, LEASE, token, "n" + token, "", "", raised, raised));
        writes(life, at + 1, token);
    }

    private void lost(int life, long at, long token) {
        says(life, at, Kind.LOST, token, "");
        says(life, at, Kind.EMPTY, token, "");
    }

    private void writes(int life, long at, long token) {
        String attempt = "a." + life + "." + facts.size();
        long wrote = seconds(at);
        facts.add(new Fact(
                ChaosSink.DATABASE, facts.size(), false, LEASE, token, "n" + token, "a", attempt, wrote, wrote));
    }

    private void publishes(long from, long to, long token) {
        String attempt = "a." + facts.size() + "." + ChaosSink.FILES;
        facts.add(new Fact(
                ChaosSink.FILES,
                facts.size(),
                false,
                LEASE,
                token,
                "n" + token,
                "a",
                attempt,
                seconds(from),
                seconds(to)));
    }

    private void says(int life, long at, Kind kind, long token, String attempt) {
        String text = kind == Kind.TENURE ? "n" + token : "";
        said.add(new Said("a", life, new NodeLine(kind, seconds(at), LEASE, token, attempt, text)));
    }

    private void assertBroken(String... rules) {
        assertThat(Verdict.of(outcome(60))).extracting(Verdict::rule).containsExactly(rules);
    }

    private Outcome outcome(long end) {
        if (lives.isEmpty()) {
            lives.add(new Life("a", 1, seconds(1), seconds(end - 1), false));
        }
        ChaosOptions options = new ChaosOptions(Duration.ZERO, 0, List.of("a"), sink, Duration.ZERO, Path.of("target"));
        List<Struck> struck = List.of(new Struck(Fault.PAUSED, "a", seconds(20), seconds(40)));
        return new Outcome(options, facts, said, lives, struck, 0, seconds(41), Map.of(), seconds(end), sessionsLeft);
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
