package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.examples.failover.Event.Type;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge itself: a clean run passes, and each kind of trouble fails the claim that is about it. */
class VerdictTest {

    private final RecordedRun run = RecordedRun.fenced();

    @Test
    void aRunInWhichTheFenceRefusedIsClean() {
        assertThat(run.verdict().checks()).allMatch(Verdict.Check::holds);
        assertThat(run.verdict().clean()).isTrue();
        assertThat(run.verdict().showsDamage()).isFalse();
    }

    @Test
    void aStaleWriteThatWasAcceptedIsFoundWithTheBatchItClosedTwice() {
        Verdict verdict = RecordedRun.unfenced().verdict();

        assertThat(verdict.clean()).isFalse();
        assertThat(verdict.showsDamage()).isTrue();
        assertThat(failed(verdict))
                .containsExactly(
                        "every batch is closed exactly once",
                        "the ledger has the invoices' total",
                        "no stale write was accepted",
                        "each paused holder woke up, wrote, and was refused");
        assertThat(verdict.staleWrites())
                .containsExactly("A wrote batch 3 with token 7 after a higher token had begun");
        assertThat(verdict.doubled())
                .containsExactly("batch 3 was closed 2 times (B token 9, A token 7): 10.50 booked too much");
    }

    @Test
    void aLateCommitIsStaleThoughItsEntryHasAnEarlierNumber() {
        run.event(9_600, "A", Type.STALE, 7, 2, "visible only now");

        assertThat(failed(run.verdict())).contains("no stale write was accepted");
    }

    @Test
    void aBatchThatNobodyClosedFails() {
        run.ledger.remove(run.ledger.size() - 1);

        assertThat(failed(run.verdict()))
                .containsExactly("every batch is closed exactly once", "the ledger has the invoices' total");
    }

    @Test
    void aWrongTotalFailsThoughEveryBatchIsThereOnce() {
        run.ledger.set(0, new Entry(1, 1, "A", 7, new BigDecimal("10.49")));

        assertThat(failed(run.verdict())).containsExactly("the ledger has the invoices' total");
    }

    @Test
    void aHandoverBeyondItsBoundFails() {
        run.handovers.set(0, new Handover("paused", "A", 7, "B", 9, 8_000, 7_801, 7_800));

        assertThat(failed(run.verdict())).containsExactly("in time: paused");
    }

    @Test
    void aHandoverToATokenThatIsNotHigherFails() {
        run.handovers.set(0, new Handover("paused", "A", 7, "B", 7, 8_000, 5_000, 7_800));

        assertThat(failed(run.verdict()))
                .containsExactly("the lease changed hands 1 times, each time to a higher token");
    }

    @Test
    void aMissingHandoverFails() {
        run.handovers.clear();

        assertThat(failed(run.verdict()))
                .containsExactly("the lease changed hands 1 times, each time to a higher token");
    }

    @Test
    void aWokenHolderThatNeverComesBackFails() {
        run.events.removeIf(e -> e.type() == Type.CANDIDATE);

        assertThat(failed(run.verdict())).containsExactly("each of them competes again");
    }

    @Test
    void aWokenHolderThatNobodyRefusedFails() {
        run.events.removeIf(e -> e.type() == Type.REFUSED);

        assertThat(failed(run.verdict())).containsExactly("each paused holder woke up, wrote, and was refused");
    }

    @Test
    void aWokenHolderThatNoticedByItselfProvesNothing() {
        run.events.replaceAll(e -> e.type() == Type.REFUSED
                ? new Event(e.millis(), e.node(), e.type(), e.token(), 0, "batch 3, LeaseLostException: over")
                : e);

        assertThat(failed(run.verdict())).containsExactly("each paused holder woke up, wrote, and was refused");
    }

    private static List<String> failed(Verdict verdict) {
        return verdict.checks().stream()
                .filter(check -> !check.holds())
                .map(Verdict.Check::claim)
                .toList();
    }
}
