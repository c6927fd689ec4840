package io.fencedlease.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Rule;
import io.fencedlease.simulation.Checker.Violation;
import io.fencedlease.simulation.History.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker refuses histories that were made bad on purpose, for every rule, and only those. */
class CheckerTest {

    private static final Bounds BOUNDS = new Bounds(
            Duration.ofSeconds(27),
            Duration.ofSeconds(5),
            Duration.ofSeconds(90),
            Duration.ofSeconds(1),
            "rob"::equals);
    private static final Tenure T7 = tenure(7, "seven");
    private static final Tenure T9 = tenure(9, "nine");

    private final History history = new History();
    private double now;

    @Test
    void aGoodHistoryIsGood() {
        asks("A");
        holds("A", T7);
        asks("B");
        at(20);
        writes("A", T7);
        at(22);
        tell("A", Kind.PLANNED, T7, "");
        tell("A", Kind.STOPPED, T7, "");
        tell("A", Kind.CLOSED, T7, "");
        tell("A", Kind.LOST, T7, "CLOSED");
        at(22.5);
        holds("B", T9);
        tell("A", Kind.WRITE_REFUSED, T7, "table");
        writes("B", T9);
        at(400);
        tell("B", Kind.LOST, T9, "SESSION_GONE");
        end();

        broken();
    }

    @Test
    void twoTenuresWithOneToken() {
        holds("A", T7);
        holds("B", tenure(7, "other"));
        broken(Rule.TOKENS_RISE, Rule.MARK_ONLY_RISES);
    }

    @Test
    void aTenureAskedForLaterWithALowerToken() {
        tell("A", Kind.GAINED, T9, "");
        asks("B");
        tell("B", Kind.GAINED, T7, "");
        broken(Rule.TOKENS_RISE);
    }

    @Test
    void aPausedNodeMayHearOfItsTenureAfterItsSuccessorDid() {
        asks("A");
        asks("B");
        tell("A", Kind.GRANTED, T7, "");
        tell("B", Kind.GRANTED, T9, "");
        tell("B", Kind.GAINED, T9, "");
        tell("A", Kind.GAINED, T7, "");
        broken();
    }

    @Test
    void aGrantWithALowerToken() {
        tell("A", Kind.GRANTED, T9, "");
        tell("B", Kind.GRANTED, T7, "");
        broken(Rule.TOKENS_RISE);
    }

    @Test
    void aGrantWithALowerTokenByAServiceThatWentBackwards() {
        tell("A", Kind.GRANTED, T9, "");
        history.add(nanos(), Kind.REWOUND, "", "", "");
        tell("B", Kind.GRANTED, T7, "");
        broken();
    }

    @Test
    void aWriteUnderTheTenureOfAnother() {
        holds("A", T7);
        tell("B", Kind.RAISED, T7, "table");
        writes("B", T7);
        broken(Rule.OWN_TENURE);
    }

    @Test
    void aWriteUnderATenureThatNobodyGained() {
        tell("A", Kind.RAISED, T7, "table");
        writes("A", T7);
        broken(Rule.OWN_TENURE);
    }

    @Test
    void aWriteThatIsTriedBeforeTheRaise() {
        tell("A", Kind.GAINED, T7, "");
        tell("A", Kind.WRITE_REFUSED, T7, "table");
        broken(Rule.RAISED_FIRST);
    }

    @Test
    void aWriteBelowTheMark() {
        holds("A", T7);
        tell("B", Kind.RAISED, T9, "table");
        writes("A", T7);
        broken(Rule.MARK_ONLY_RISES);
    }

    @Test
    void aRaiseBelowTheMark() {
        tell("B", Kind.RAISED, T9, "table");
        tell("A", Kind.RAISED, T7, "table");
        broken(Rule.MARK_ONLY_RISES);
    }

    @Test
    void aWriteThatMayHaveTakenEffectBeforeTheRaiseIsNoViolation() {
        holds("A", T7);
        history.add(nanos(), at(3), Kind.RAISED, "B", T9, "table");
        history.add(nanos() - 1_000_000, at(4), Kind.WRITE_ACCEPTED, "A", T7, "table");
        broken();
    }

    @Test
    void aWriteThatBeganAfterTheRaiseWasDoneIsOne() {
        holds("A", T7);
        history.add(nanos(), at(3), Kind.RAISED, "B", T9, "table");
        history.add(at(4), at(5), Kind.WRITE_ACCEPTED, "A", T7, "table");
        broken(Rule.MARK_ONLY_RISES);
    }

    @Test
    void beliefAfterTheSessionsDeadline() {
        proves("A", T7, "s");
        at(10);
        clocks(Kind.LEASE_PROVED, T7, "s", 0, 0);
        at(27);
        clocks(Kind.BELIEVED, T7, "", 0, 0);
        broken(Rule.BELIEF_ENDS);
    }

    @Test
    void beliefWithoutFreshEvidenceOfTheLease() {
        proves("A", T7, "s");
        at(10);
        clocks(Kind.SESSION_PROVED, T7, "s", 0, 0);
        at(27);
        clocks(Kind.BELIEVED, T7, "", 0, 0);
        broken(Rule.BELIEF_ENDS);
    }

    @Test
    void beliefAfterASuspensionThatOnlyTheWallClockSaw() {
        proves("A", T7, "s");
        at(5);
        clocks(Kind.BELIEVED, T7, "", 0, 30);
        broken(Rule.BELIEF_ENDS);
    }

    @Test
    void beliefAfterAPauseThatTheWallClockHides() {
        proves("A", T7, "s");
        at(30);
        clocks(Kind.BELIEVED, T7, "", 0, -30);
        broken(Rule.BELIEF_ENDS);
    }

    @Test
    void beliefInTime() {
        proves("A", T7, "s");
        at(26.9);
        clocks(Kind.BELIEVED, T7, "", 0, 0);
        broken();
    }

    @Test
    void aLossThatIsToldTwice() {
        holds("A", T7);
        tell("A", Kind.LOST, T7, "CLOSED");
        tell("A", Kind.LOST, T7, "SESSION_GONE");
        broken(Rule.LOSS_TOLD_ONCE);
    }

    @Test
    void aLossThatIsNotToldBeforeTheNextGain() {
        holds("A", T7);
        tell("A", Kind.CLOSED, T7, "");
        holds("A", T9);
        broken(Rule.LOSS_TOLD_ONCE);
    }

    @Test
    void aLossThatIsNeverTold() {
        holds("A", T7);
        end();
        broken(Rule.LOSS_TOLD_ONCE);
    }

    @Test
    void aKilledNodeIsToldNothing() {
        holds("A", T7);
        history.add(nanos(), Kind.NODE_KILLED, "A", "", "");
        holds("A", T9);
        tell("A", Kind.LOST, T9, "CLOSED");
        end();
        broken();
    }

    @Test
    void aGainWhileTheTenureBeforeIsOpen() {
        holds("A", T7);
        tell("A", Kind.LOST, T7, "SESSION_GONE");
        holds("A", T9);
        broken(Rule.CLOSED_BEFORE_NEXT);
    }

    @Test
    void aGainWhileAPlannedStopStillDrains() {
        holds("A", T7);
        asks("B");
        tell("A", Kind.PLANNED, T7, "");
        at(2);
        holds("B", T9);
        broken(Rule.PLANNED_STOP);
    }

    @Test
    void aPlannedStopDuringAFaultPromisesNothing() {
        holds("A", T7);
        tell("A", Kind.PLANNED, T7, "");
        history.add(at(1), Kind.FAULT_BEGUN, "A", "", "pause");
        at(2);
        holds("B", T9);
        broken();
    }

    @Test
    void aHandOverThatTakesTooLong() {
        holds("A", T7);
        asks("B");
        at(20);
        tell("A", Kind.PLANNED, T7, "");
        tell("A", Kind.STOPPED, T7, "");
        tell("A", Kind.CLOSED, T7, "");
        at(21.5);
        tell("A", Kind.LOST, T7, "CLOSED");
        holds("B", T9);
        broken(Rule.HAND_OVER);
    }

    @Test
    void beliefBesideAGrantToAnother() {
        proves("A", T7, "s");
        tell("A", Kind.GRANTED, T7, "");
        at(3);
        tell("B", Kind.GRANTED, T9, "");
        clocks(Kind.BELIEVED, T7, "", 0, 0);
        broken(Rule.EXCLUSION);
    }

    @Test
    void beliefBesideAGrantThatARobberyCaused() {
        proves("A", T7, "s");
        tell("A", Kind.GRANTED, T7, "");
        history.add(at(2), Kind.FAULT_BEGUN, "", "", "rob");
        history.add(at(2), Kind.FAULT_ENDED, "", "", "rob");
        tell("B", Kind.GRANTED, T9, "");
        clocks(Kind.BELIEVED, T7, "", 0, 0);
        broken();
    }

    @Test
    void nobodyHoldsAfterTheFaultsHaveEnded() {
        asks("A");
        history.add(at(1), Kind.FAULT_BEGUN, "", "", "partition");
        history.add(at(200), Kind.FAULT_ENDED, "", "", "partition");
        at(291);
        end();
        broken(Rule.LIVENESS);
    }

    @Test
    void aSessionThatIsLeft() {
        history.add(nanos(), Kind.SESSION_OPENED, "", "", "s1");
        history.add(nanos(), Kind.SESSION_OPENED, "", "", "s2");
        history.add(nanos(), Kind.SESSION_ENDED, "", "", "s1");
        end();
        broken(Rule.NO_LEAK);
    }

    @Test
    void everyRuleIsRefusedByOneOfTheseTestsAndToldWithItsHistory() {
        asks("A");
        holds("A", T9);
        asks("B");
        tell("B", Kind.GAINED, T7, "");

        assertThatThrownBy(() -> new Checker(BOUNDS).assertKept(history))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("TOKENS_RISE", "ASKED", "token 9", "token 7");
    }

    private void broken(Rule... rules) {
        List<Rule> found = new ArrayList<>(new Checker(BOUNDS)
                .check(history).stream().map(Violation::rule).distinct().toList());
        assertThat(found).containsExactlyInAnyOrder(rules);
    }

    private void holds(String node, Tenure tenure) {
        tell(node, Kind.RAISE_BEGUN, tenure, "table");
        tell(node, Kind.RAISED, tenure, "table");
        tell(node, Kind.GAINED, tenure, "");
    }

    private void writes(String node, Tenure tenure) {
        tell(node, Kind.WRITE_ACCEPTED, tenure, "table");
    }

    private void proves(String node, Tenure tenure, String session) {
        clocks(Kind.SESSION_PROVED, tenure, session, 0, 0);
        clocks(Kind.LEASE_PROVED, tenure, session, 0, 0);
        tell(node, Kind.GAINED, tenure, "");
    }

    private void asks(String node) {
        history.add(nanos(), Kind.ASKED, node, "closer", "");
    }

    private void tell(String node, Kind kind, Tenure tenure, String what) {
        history.add(nanos(), kind, node, tenure, what);
    }

    private void clocks(Kind kind, Tenure tenure, String what, double monotonicStep, double wallStep) {
        Tick own = new Tick((long) ((now + monotonicStep) * 1e9), (long) ((now + wallStep) * 1e3));
        history.add(nanos(), nanos(), kind, "A", tenure, what, own);
    }

    private void end() {
        history.add(nanos(), Kind.ENDED, "", "", "");
    }

    private long at(double seconds) {
        now = seconds;
        return nanos();
    }

    private long nanos() {
        return (long) (now * 1e9);
    }

    private static Tenure tenure(long token, String nonce) {
        return new Tenure(new LeaseName("closer"), new FencingToken(token), nonce);
    }
}
