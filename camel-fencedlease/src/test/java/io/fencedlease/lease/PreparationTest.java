package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.FaultyBackend.Call;
import io.fencedlease.lease.LeaseReport.State;
import io.fencedlease.lease.LossReason.Kind;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What happens between acquiring a lease and handing it out. */
class PreparationTest extends VirtualNodes {

    private final List<Tenure> raised = new ArrayList<>();

    @Test
    void fencesAreRaisedBeforeTheLeaseIsHandedOut() {
        boolean[] handedOut = {false};
        a.onRaise(L, tenure -> {
            assertThat(handedOut[0]).isFalse();
            raised.add(tenure);
        });
        a.acquire(L).thenAccept(lease -> handedOut[0] = true);
        time.advance(A_MOMENT);

        assertThat(handedOut[0]).isTrue();
        assertThat(raised).hasSize(1);
    }

    @Test
    void aFenceThatCannotBeRaisedForTheMomentIsTriedAgainWithTheSameTenure() {
        a.onRaise(L, tenure -> {
            raised.add(tenure);
            if (raised.size() < 4) {
                throw new IOException("database restarts");
            }
        });
        Lease lease = heldBy(a);

        assertThat(raised).hasSize(4).containsOnly(lease.tenure());
        assertThat(a.report(L).problem()).isEmpty();
    }

    @Test
    void aNodeThatCannotRaiseWithinTheStartTimeoutLetsAnotherOneHold() {
        a.onRaise(L, tenure -> {
            throw new IOException("no database from here");
        });
        CompletableFuture<Lease> never = a.acquire(L);
        time.advance(A_MOMENT);
        CompletableFuture<Lease> other = b.acquire(L);

        time.advance(S.startTimeout().plus(S.renewalInterval()).plus(S.ttl()));

        assertThat(other).isCompleted();
        assertThat(never).isNotDone();
        assertThat(a.report(L).state()).isEqualTo(State.WAITING);
    }

    @Test
    void aRefusedRaiseOfALeaseThatIsOursIsTokenRegressionAndNothingStarts() {
        boolean[] mended = {false};
        a.onRaise(L, tenure -> {
            if (!mended[0]) {
                throw new RaiseRefusedException("table t", tenure, 4711, "other");
            }
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMinutes(10));

        assertThat(future).isNotDone();
        assertThat(a.report(L).state()).isEqualTo(State.PREPARING);
        assertThat(a.report(L).problem()).get().asString().contains("token regression", "4711");

        mended[0] = true;
        time.advance(S.renewalInterval());
        assertThat(future).isCompleted();
    }

    @Test
    void aRefusedRaiseOfALeaseThatIsAnothersIsAnOrdinaryLoss() {
        b.onRaise(L, raised::add);
        a.onRaise(L, tenure -> {
            if (raised.isEmpty()) {
                time.freeze(S.ttl().multipliedBy(2)); // this node is paused just before it raises
                service.endAllSessions();
                throw new RaiseRefusedException(
                        "table t", tenure, tenure.token().value() + 1, "of b");
            }
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);

        assertThat(a.report(L).problem().orElse("")).doesNotContain("regression");
        raised.add(new Tenure(L, new FencingToken(1), "done"));
        time.advance(S.failoverBound());
        assertThat(future).isCompleted();
    }

    @Test
    void aRefusedRaiseThatCannotBeComparedIsNotCalledRegression() {
        a.onRaise(L, tenure -> {
            throw new RaiseRefusedException("table t", tenure, 4711, "other");
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMillis(1));
        backendA.fail(Call.READ, () -> new BackendUnavailableException("an election"));
        time.advance(Duration.ofSeconds(3));

        assertThat(future).isNotDone();
        assertThat(a.report(L).problem().orElse("")).doesNotContain("regression");
    }

    @Test
    void aTenureLostWhileRaisingIsNeverHandedOut() {
        a.onRaise(L, tenure -> {
            raised.add(tenure);
            if (raised.size() == 1) {
                time.freeze(S.ttl());
            }
        });
        List<Lease> handedOut = new ArrayList<>();
        a.acquire(L).thenAccept(handedOut::add);
        time.advance(S.failoverBound().multipliedBy(2));

        assertThat(handedOut).extracting(Lease::tenure).containsExactly(raised.get(1));
        assertThat(raised.get(1).token()).isGreaterThan(raised.get(0).token());
    }

    @Test
    void cancellingWhileRaisingGivesTheLeaseBack() {
        a.onRaise(L, tenure -> {
            throw new IOException("not now");
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);
        assertThat(service.holderOf(L)).isNotEmpty();

        future.cancel(false);
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(service.holderOf(L)).isEmpty();
        assertThat(a.report(L).state()).isEqualTo(State.IDLE);
    }

    @Test
    void aHookThatHangsDoesNotKeepTheLeaseFromOthers() {
        a.onRaise(L, raised::add);
        workersHang = true;
        a.acquire(L);
        time.advance(A_MOMENT);
        assertThat(a.report(L).state()).isEqualTo(State.PREPARING);

        time.advance(S.startTimeout());

        assertThat(service.holderOf(L)).isEmpty();
        assertThat(a.report(L).problem()).get().asString().contains("startTimeout");
    }

    @Test
    void aQuestionAboutAnEarlierTenureIsAnsweredWithoutTouchingTheNext() {
        Lease first = heldBy(a);
        first.close();
        Lease second = heldBy(a);
        CompletableFuture<Boolean> aboutSecond = second.confirm().toCompletableFuture();
        CompletableFuture<Boolean> aboutFirst = first.confirm().toCompletableFuture();
        time.advance(A_MOMENT);

        assertThat(aboutFirst).isCompletedWithValue(false);
        assertThat(aboutSecond).isCompletedWithValue(true);
    }

    @Test
    void aHookThatWasTakenBackIsNotRun() {
        a.onRaise(L, raised::add).close();
        Lease lease = heldBy(a);

        assertThat(raised).isEmpty();
        lease.close();
        time.advance(A_MOMENT);
        assertThat(losses).extracting(LossReason::kind).containsExactly(Kind.CLOSED);
    }
}
