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
    void whatKeepsAFenceFromBeingRaisedIsToldWithItsCauseAndWithoutSecrets() {
        a.onRaise(L, tenure -> {
            throw new IOException(
                    "database 'db' could not be raised",
                    new IOException("no route to //joe:s3cret@host\npassword=s3cret"));
        });
        a.acquire(L);
        time.advance(A_MOMENT);

        assertThat(a.report(L).problem())
                .contains("fences not raised yet: database 'db' could not be raised:"
                        + " no route to //joe:xxxxxx password=xxxxxx");
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
                throw new RaiseRefusedException("table t", tenure, 4711);
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
                        "table t", tenure, tenure.token().value() + 1);
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
            throw new RaiseRefusedException("table t", tenure, 4711);
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
    void aTenureIsPublishedBeforeItsFencesAreRaised() {
        a.onRaise(L, raised::add);
        backendA.fail(Call.PUBLISH, () -> new BackendUnavailableException("an election"));
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(S.renewalInterval().multipliedBy(2));

        assertThat(raised).isEmpty();
        assertThat(a.report(L).problem()).get().asString().contains("not published", "an election");

        backendA.heal();
        time.advance(S.renewalInterval());
        assertThat(future).isCompleted();
        assertThat(raised).containsExactly(future.join().tenure());
        assertThat(a.report(L).problem()).isEmpty();
    }

    @Test
    void aPublicationWhoseAnswerIsLostIsRepeated() {
        backendA.fault(Call.PUBLISH, FaultyBackend.DONE_SILENTLY);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(S.attemptLimit().plus(A_MOMENT));
        assertThat(future).isNotDone();

        backendA.heal();
        time.advance(S.renewalInterval());
        assertThat(future).isCompleted();
    }

    @Test
    void aTenureLostWhileItIsPublishedIsAnOrdinaryLoss() {
        backendA.park(Call.PUBLISH);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMillis(1));
        service.delete(L);
        backendA.heal();
        backendA.doParked();
        time.advance(S.failoverBound());

        assertThat(a.report(L).regression()).isEmpty();
        assertThat(future).isCompleted();
    }

    @Test
    void aServiceThatWasWipedIsFoundOutByTheMemoryOfThisProcess() {
        Lease first = heldBy(a);
        for (int i = 0; i < 3; i++) {
            first.close();
            first = heldBy(a);
        }
        service.wipe();
        first.close();
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(S.failoverBound());

        assertThat(future).isNotDone();
        TokenRegression found = a.report(L).regression().orElseThrow();
        assertThat(found.mark()).isEqualTo(first.token().value());
        assertThat(found.token()).isLessThanOrEqualTo(found.mark());
        assertThat(found.forgotten()).isTrue();

        CompletableFuture<Long> above = a.openGeneration(L);
        time.advance(S.renewalInterval());
        assertThat(future).isCompleted();
        assertThat(future.join().token().value()).isGreaterThan(above.join()).isGreaterThan(found.mark());
        assertThat(a.report(L).regression()).isEmpty();
        assertThat(a.report(L).problem()).isEmpty();
    }

    @Test
    void anEqualTokenOfAnotherTenureIsRegressionToo() {
        a.onRaise(L, tenure -> {
            if (tenure.token().value() < 1_000) {
                throw new RaiseRefusedException(
                        "table t", tenure, tenure.token().value());
            }
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(S.renewalInterval());

        assertThat(a.report(L).problem()).get().asString().contains("has seen 1 under another tenure");
        a.openGeneration(L);
        time.advance(S.renewalInterval());
        assertThat(future).isCompleted();
    }

    @Test
    void aRegressionSaysBothNumbersAndTheRemedyAndIsKeptWhateverElseFails() {
        boolean[] down = {false};
        a.onRaise(L, tenure -> {
            if (down[0]) {
                throw new IOException("the database is away");
            }
            throw new RaiseRefusedException("table t", tenure, 4711);
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(S.renewalInterval());
        down[0] = true;
        time.advance(S.startTimeout().multipliedBy(4));

        LeaseReport report = a.report(L);
        assertThat(future).isNotDone();
        assertThat(report.state()).isEqualTo(State.PREPARING);
        assertThat(report.regression()).map(TokenRegression::mark).contains(4711L);
        assertThat(report.ailment()).map(Ailment::kind).contains(Ailment.Kind.REGRESSION);
        assertThat(report.problem())
                .get()
                .asString()
                .contains("token regression", "token 1 ", "table t has seen 4711", "openGeneration for lease 'closer'");
        assertThat(service.holderOf(L)).isNotEmpty();
    }

    @Test
    void anOpenedGenerationGoesBeyondTheMarkThatRefusedHoweverFarAheadItIs() {
        long mark = 5_000_000_000L;
        a.onRaise(L, tenure -> {
            if (tenure.token().value() <= mark) {
                throw new RaiseRefusedException("table t", tenure, mark);
            }
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);
        CompletableFuture<Long> above = a.openGeneration(L);
        time.advance(S.renewalInterval());

        assertThat(above.join()).isGreaterThan(mark);
        assertThat(future).isCompleted();
    }

    @Test
    void anOpenedGenerationLeavesTheTenureThatIsHeldAlone() {
        Lease lease = heldBy(a);
        a.openGeneration(L, 10_000);
        CompletableFuture<Long> byAnother = b.openGeneration(L);
        time.advance(A_MOMENT);

        assertThat(byAnother).isCompleted();
        lease.ensureHeld();
        lease.close();
        assertThat(heldBy(a).token().value()).isGreaterThan(byAnother.join());
    }

    @Test
    void aGenerationOpenedBeforeTheFencesOfALaterTenureHaveRefusedNeedsNoSecondCall() {
        a.onRaise(L, tenure -> {
            if (tenure.token().value() < 4711) {
                throw new RaiseRefusedException("table t", tenure, 4711);
            }
        });
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);
        Tenure shown = a.report(L).regression().orElseThrow().tenure();
        service.delete(L);
        while (a.report(L).tenure().filter(now -> !now.equals(shown)).isEmpty()) {
            time.advance(Duration.ofMillis(1));
        }
        assertThat(a.report(L).regression()).isEmpty();

        a.openGeneration(L);
        time.advance(S.renewalInterval());

        assertThat(future).isCompleted();
    }

    @Test
    void aGenerationWhoseOpeningFailsChangesNothing() {
        a.onRaise(L, tenure -> {
            throw new RaiseRefusedException("table t", tenure, 4711);
        });
        a.acquire(L);
        time.advance(A_MOMENT);
        backendA.fail(Call.GENERATION, () -> new BackendUnavailableException("an election"));
        CompletableFuture<Long> opened = a.openGeneration(L);
        time.advance(A_MOMENT);

        assertThat(opened).isCompletedExceptionally();
        assertThat(a.report(L).regression()).isPresent();
        assertThat(a.openGeneration(L, 1L << 60)).satisfies(refused -> {
            backendA.heal();
            time.advance(A_MOMENT);
            assertThat(refused).isCompletedExceptionally();
        });
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
