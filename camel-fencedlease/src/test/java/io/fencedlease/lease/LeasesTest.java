package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.FaultyBackend.Call;
import io.fencedlease.lease.LeaseReport.State;
import io.fencedlease.lease.LossReason.Kind;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loop in virtual time, against a model of a service that is itself checked by the backend contract. */
class LeasesTest extends VirtualNodes {

    @Test
    void ailmentsSayHowGraveTheyAre() {
        Lease lease = heldBy(a);
        backendA.fail(Call.RENEW, () -> new BackendRefusedException("missing right: session:write"));
        time.advance(S.renewalInterval().multipliedBy(2));
        assertThat(a.report(L).ailment()).map(Ailment::kind).contains(Ailment.Kind.CONFIGURATION);

        backendA.heal();
        time.advance(S.renewalInterval());
        assertThat(a.report(L).ailment()).isEmpty();

        backendA.fail(Call.RENEW, () -> new BackendUnavailableException("an election"));
        time.advance(S.renewalInterval().plus(A_MOMENT));
        assertThat(a.report(L).ailment()).map(Ailment::kind).contains(Ailment.Kind.TRANSIENT);

        time.advance(S.beliefSpan().dividedBy(2).plus(S.attemptLimit()));
        assertThat(a.report(L).ailment()).map(Ailment::kind).contains(Ailment.Kind.NOT_RENEWED);
        lease.ensureHeld();
    }

    // T52: ShedLock#340
    @Test
    void oneNodeHoldsAndTheOtherWaitsKnowingWho() {
        Lease lease = heldBy(a);
        CompletableFuture<Lease> other = b.acquire(L);
        time.advance(Duration.ofHours(1));

        lease.ensureHeld();
        assertThat(other).isNotDone();
        assertThat(service.openSessions()).isEqualTo(2);
        assertThat(b.report(L).state()).isEqualTo(State.WAITING);
        assertThat(b.report(L).holder()).contains("A");
        assertThat(a.report(L).tenure()).contains(lease.tenure());
    }

    @Test
    void theReportSaysSinceWhenAndHowLongATenureIsBelievedYet() {
        assertThat(a.report(L).since()).isEmpty();
        Instant acquired = Instant.ofEpochMilli(time.now().wallMillis());
        Lease lease = heldBy(a);
        assertThat(a.report(L).since().orElseThrow()).isBetween(acquired, acquired.plus(A_MOMENT));
        time.advance(S.renewalInterval().multipliedBy(10).plus(A_MOMENT));
        assertThat(a.report(L).since().orElseThrow()).isBetween(acquired, acquired.plus(A_MOMENT));
        assertThat(a.report(L).left().orElseThrow())
                .isBetween(S.beliefSpan().minus(S.renewalInterval()).minus(A_MOMENT), S.beliefSpan());

        time.freeze(S.renewalInterval()); // no thread runs
        assertThat(a.report(L).left().orElseThrow())
                .isLessThanOrEqualTo(S.beliefSpan().minus(S.renewalInterval()));

        service.endAllSessions();
        time.advance(S.renewalInterval().plus(A_MOMENT));
        assertThat(a.report(L).left()).isEmpty();
        assertThat(a.report(L).since().orElseThrow()).isAfter(acquired.plus(S.renewalInterval()));
        assertThat(lease.lossReason()).isPresent();
    }

    @Test
    void aClosedLeaseIsTakenOverAtOnceWithAHigherToken() {
        Lease first = heldBy(a);
        CompletableFuture<Lease> next = b.acquire(L);
        time.advance(A_MOMENT);

        first.close();
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(next.join().token()).isGreaterThan(first.token());
        assertThat(next.join().tenure().nonce()).isNotEqualTo(first.tenure().nonce());
        assertLost(first, Kind.CLOSED);
    }

    @Test
    void aNodeDoesNotCompeteBeforeItsPreviousLeaseIsClosed() {
        Lease first = heldBy(a);
        CompletableFuture<Lease> next = a.acquire(L);
        service.endAllSessions();
        time.advance(Duration.ofMinutes(5));
        assertThat(next).isNotDone();
        assertThat(a.report(L).state()).isEqualTo(State.ENDING);

        first.close();
        time.advance(S.failoverBound());

        assertThat(next.join().token()).isGreaterThan(first.token());
        assertThat(next.join().tenure().nonce()).isNotEqualTo(first.tenure().nonce());
    }

    @Test
    void itHoldsAgainAfterEachOfAHundredSessionsDestroyedFromOutside() {
        long last = 0;
        for (int i = 0; i < 100; i++) {
            losses.clear();
            Lease lease = heldBy(a);
            assertThat(lease.token().value()).isGreaterThan(last);
            last = lease.token().value();
            service.endAllSessions();
            time.advance(S.renewalInterval().plus(A_MOMENT));
            assertThat(losses).extracting(LossReason::kind).containsAnyOf(Kind.SESSION_GONE, Kind.LEASE_TAKEN);
            assertThat(losses).hasSize(1);
            lease.close();
        }
    }

    // T82: patroni#329
    @Test
    void withoutAnswersTheLeaseIsLostBeforeTheTtlCountedFromTheLastGoodRenewal() {
        Lease lease = heldBy(a);
        time.advance(S.renewalInterval()); // the last good renewal was sent within this interval
        backendA.fault(Call.RENEW, FaultyBackend.LOST);
        time.advance(S.beliefSpan().minus(S.renewalInterval()).minusMillis(1));
        lease.ensureHeld();

        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertLost(lease, Kind.DEADLINE_PASSED);
    }

    @Test
    void aLeaseNobodyRenewsIsNotBelievedThoughNoThreadRuns() {
        Lease lease = heldBy(a);

        time.freeze(S.beliefSpan());

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aSuspendedMachineLosesTheLeaseAndASmallClockStepDoesNot() {
        Lease lease = heldBy(a);
        time.stepWallClock(Duration.ofSeconds(5));
        lease.ensureHeld();
        time.advance(S.ttl());
        time.stepWallClock(Duration.ofSeconds(-5));
        lease.ensureHeld();
        time.advance(S.ttl());

        time.stepWallClock(S.ttl());

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aRenewalThatAnswersAfterTheDeadlineSavesNothing() {
        Lease lease = heldBy(a);
        time.advance(S.ttl());
        backendA.fail(Call.RENEW, () -> new BackendUnavailableException("an election"));
        time.advance(Duration.ofSeconds(20));
        backendA.park(Call.RENEW);
        time.advance(S.renewalInterval());
        backendA.doParked(); // answered in time, but this process is paused before it looks
        time.freeze(Duration.ofSeconds(10));
        time.advance(A_MOMENT);

        assertLost(lease, Kind.DEADLINE_PASSED);
        assertThat(backendA.calls.get(Call.OPEN)).isEqualTo(2);
    }

    @Test
    void beliefCountsFromBeforeTheSessionWasAskedFor() {
        backendA.park(Call.OPEN);
        backendA.fault(Call.RENEW, FaultyBackend.LOST);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMillis(1_500));
        backendA.doParked();
        time.advance(A_MOMENT);
        Lease lease = future.join();

        time.freeze(S.beliefSpan().minusMillis(1_500));

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    // T27: CURATOR-460
    @Test
    void beliefCountsFromBeforeTheRenewalWasAskedFor() {
        Lease lease = heldBy(a);
        backendA.park(Call.RENEW);
        time.advance(S.renewalInterval());
        backendA.fault(Call.RENEW, FaultyBackend.LOST);
        time.advance(Duration.ofMillis(1_900)); // asked up to 5 s ago, answered now; reads go on succeeding
        backendA.doParked();
        time.advance(S.beliefSpan().minusMillis(1_500));

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    // T68: hashicorp/consul#2371
    @Test
    void afterAnUncertainLossTheOldSessionIsDestroyedNotReleased() {
        Lease lease = heldBy(a);
        String session = service.holderOf(L);
        backendA.fault(Call.RENEW, FaultyBackend.LOST);
        backendA.fault(Call.DESTROY, FaultyBackend.LOST);
        time.advance(S.beliefSpan().plus(S.renewalInterval()));
        assertLost(lease, Kind.DEADLINE_PASSED);
        assertThat(backendA.calls.get(Call.RELEASE)).isNull();

        backendA.heal();
        time.advance(S.renewalInterval().plus(S.attemptLimit()));

        assertThat(service.holderOf(L)).isNotEqualTo(session);
        assertThat(backendA.calls.get(Call.DESTROY))
                .as("destroyed until answered")
                .isGreaterThan(1);
        assertThat(backendA.calls.get(Call.RELEASE)).isNull();
    }

    @Test
    void aDeletedEntryEndsTheTenureThoughRenewalsSucceed() {
        Lease lease = heldBy(a);

        service.delete(L);
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertLost(lease, Kind.LEASE_TAKEN);
        assertThat(service.openSessions()).isEqualTo(1);
    }

    @Test
    void renewalsAloneDoNotProveTheLease() {
        Lease lease = heldBy(a);
        backendA.fail(Call.READ, () -> new BackendUnavailableException("no reads today"));

        time.advance(S.beliefSpan().plusMillis(1));

        assertLost(lease, Kind.DEADLINE_PASSED);
        assertThat(a.report(L).problem()).get().asString().contains("no reads today");
    }

    @Test
    void shortTroubleCostsNothing() {
        Lease lease = heldBy(a);
        for (Call call : Call.values()) {
            backendA.fail(call, () -> new BackendUnavailableException("an election"));
        }
        time.advance(Duration.ofSeconds(20));
        backendA.heal();
        time.advance(Duration.ofHours(1));

        lease.ensureHeld();
        assertThat(losses).isEmpty();
    }

    @Test
    void anAcquisitionWhoseAnswerWasLostIsFoundAndKeepsItsToken() {
        backendA.fault(Call.ACQUIRE, FaultyBackend.DONE_SILENTLY);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMinutes(1)); // several attempts, and reads that show the entry as ours
        assertThat(service.holderOf(L)).isNotEmpty();
        assertThat(future).isNotDone();

        backendA.heal();
        time.advance(S.renewalInterval().plus(S.renewalInterval()));

        assertThat(future.join().token().value()).isEqualTo(1);
    }

    @Test
    void anAcquisitionThatLandsAfterNobodyWantsItIsGivenBack() {
        backendA.park(Call.ACQUIRE);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);
        future.cancel(false);
        time.advance(Duration.ofMinutes(1));
        backendA.heal();

        backendA.doParked();
        assertThat(service.holderOf(L)).isNotEmpty();
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(service.holderOf(L)).isEmpty();
    }

    @Test
    void aLateReleaseDoesNotEndTheNextTenure() {
        Lease first = heldBy(a);
        backendA.park(Call.RELEASE);
        first.close();
        time.advance(S.attemptLimit().plus(A_MOMENT));
        CompletableFuture<Lease> next = a.acquire(L);
        backendA.heal();
        time.advance(S.renewalInterval().plus(A_MOMENT));
        assertThat(next.join().token()).isGreaterThan(first.token());

        backendA.doParked();
        time.advance(Duration.ofMinutes(1));

        next.join().ensureHeld();
    }

    @Test
    void anAnswerOfASessionThatIsOverIsDropped() {
        backendA.park(Call.ACQUIRE);
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(A_MOMENT);
        time.freeze(S.beliefSpan());
        backendA.doParked();
        time.advance(Duration.ofMillis(50));

        assertThat(future).isNotDone();
    }

    // T09: CAMEL-17068
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"OPEN", "RENEW", "READ", "ACQUIRE"})
    void whateverACallThrowsItHoldsAgainWithinTheBound(Call call) {
        for (var failure : List.<Supplier<Throwable>>of(
                () -> new IllegalStateException("a bug"), () -> new NoClassDefFoundError("a broken jar"))) {
            backendA.explode(call, failure);
            CompletableFuture<Lease> future = a.acquire(L);
            time.advance(Duration.ofMinutes(5));
            backendA.heal();
            time.advance(S.failoverBound());
            Lease lease = future.join();
            if (lease.lossReason().isPresent()) {
                lease.close();
                lease = heldBy(a);
            }
            lease.ensureHeld();
            lease.close();
            time.advance(S.renewalInterval());
        }
    }

    @Test
    void confirmTellsTheTruthOfAReadThatBeganAfterwards() {
        Lease lease = heldBy(a);
        CompletableFuture<Boolean> ours = lease.confirm().toCompletableFuture();
        time.advance(A_MOMENT);
        assertThat(ours).isCompletedWithValue(true);

        backendA.fail(Call.READ, () -> new BackendUnavailableException("down"));
        CompletableFuture<Boolean> unknown = lease.confirm().toCompletableFuture();
        time.advance(A_MOMENT);
        assertThat(unknown).isCompletedExceptionally();
        lease.ensureHeld();

        backendA.heal();
        service.delete(L);
        CompletableFuture<Boolean> gone = lease.confirm().toCompletableFuture();
        time.advance(S.renewalInterval());
        assertThat(gone).isCompletedWithValue(false);
        assertLost(lease, Kind.LEASE_TAKEN);
    }

    @Test
    void standingDownKeepsTheLeaseFromOthersUntilClosed() {
        Lease first = heldBy(a);
        CompletableFuture<Lease> next = b.acquire(L);
        first.standDown("its route hangs");
        time.advance(Duration.ofMinutes(5));
        assertLost(first, Kind.STOOD_DOWN);
        assertThat(next).isNotDone();

        first.close();
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(next).isCompleted();
    }

    @Test
    void closingGivesBackWhatIsClosedBeforeItDestroysTheSession() {
        Lease lease = heldBy(a);
        CompletableFuture<Lease> waiting = b.acquire(L);
        time.advance(A_MOMENT);

        lease.close();
        CompletableFuture<Void> ended = a.endInOrder();
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(ended).isCompleted();
        assertThat(waiting).isCompleted();
        assertThat(service.openSessions()).isEqualTo(1);
    }

    @Test
    void closingEndsAnOpenTenureAndLeavesItsEntryToTheLockDelay() {
        Lease lease = heldBy(a);
        CompletableFuture<Lease> waiting = b.acquire(L);
        time.advance(A_MOMENT);

        a.endInOrder();
        time.advance(S.lockDelay().minusSeconds(1));
        assertLost(lease, Kind.CLOSED);
        assertThat(waiting).isNotDone();
        time.advance(S.renewalInterval());

        assertThat(waiting).isCompleted();
    }

    @Test
    void aLeaseThatIsReadButNotRenewedIsNotBelieved() {
        Lease lease = heldBy(a);
        time.advance(S.renewalInterval());
        backendA.fail(Call.RENEW, () -> new BackendUnavailableException("no writes today"));
        time.advance(Duration.ofSeconds(20));
        lease.ensureHeld();

        time.freeze(Duration.ofSeconds(8)); // the last read is fresh enough, the last renewal is not

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aWallClockThatStepsBackHidesNoLapse() {
        Lease lease = heldBy(a);

        time.freeze(S.beliefSpan());
        time.stepWallClock(S.ttl().negated());

        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void slowReadsLeaveRoomForAcquiringAndReleasing() {
        backendA.poll = Optional.of(Duration.ofMillis(500));
        backendA.slow(Call.READ, Duration.ofMillis(1_500), time);
        Lease lease = heldBy(a);
        lease.ensureHeld();

        lease.close();
        time.advance(Duration.ofSeconds(10));

        assertThat(service.holderOf(L)).isEmpty();
    }

    @Test
    void anEntryTakenByARefusedAttemptIsGivenBackToOthers() {
        backendA.failAfterwards(Call.ACQUIRE, () -> new BackendRefusedException("may not read the generation"));
        a.acquire(L);
        time.advance(A_MOMENT);

        Lease lease = heldBy(b);

        lease.ensureHeld();
        assertThat(a.report(L).state()).isEqualTo(State.WAITING);
    }

    @Test
    void anAttemptUnderWayIsGivenBackThoughTheLeaseWasAskedForAnewUnderOtherSettings() {
        LeaseSettings others =
                LeaseSettings.builder("closer").ttl(Duration.ofSeconds(20)).build();
        backendA.park(Call.ACQUIRE);
        CompletableFuture<Lease> first = a.acquire(L);
        time.advance(A_MOMENT);
        first.cancel(false);
        CompletableFuture<Lease> second = a.acquire(L, others);
        time.advance(Duration.ofMillis(1));
        backendA.heal();
        backendA.doParked();
        time.advance(Duration.ofMinutes(1));

        second.join().ensureHeld();
    }

    @Test
    void aFutureThatItsUserGaveUpDoesNotGoOnCompeting() {
        Lease held = heldBy(b);
        CompletableFuture<Lease> given = a.acquire(L);
        time.advance(A_MOMENT);
        given.completeExceptionally(new TimeoutException("waited long enough"));
        time.advance(A_MOMENT);
        assertThat(a.report(L).state()).isEqualTo(State.IDLE);

        held.close();
        CompletableFuture<Lease> again = a.acquire(L);
        time.advance(S.renewalInterval().plus(A_MOMENT));

        assertThat(again).isCompleted();
    }

    @Test
    void aReleaseThatIsRefusedIsRepeatedSlowly() {
        Lease lease = heldBy(a);
        backendA.fail(Call.RELEASE, () -> new BackendRefusedException("missing right: key:write"));
        lease.close();
        time.advance(Duration.ofMinutes(1));

        assertThat(backendA.calls.get(Call.RELEASE)).isBetween(5, 30);
        assertThat(a.report(L).problem()).get().asString().contains("key:write");
        backendA.heal();
        time.advance(S.renewalInterval().plus(A_MOMENT));
        assertThat(service.holderOf(L)).isEmpty();
    }

    @Test
    void whatAnAttemptMetIsNoProblemOnceAnotherNodeHolds() {
        backendA.fault(Call.ACQUIRE, FaultyBackend.LOST);
        a.acquire(L);
        time.advance(S.attemptLimit().plus(A_MOMENT));
        assertThat(a.report(L).problem()).isPresent();

        heldBy(b);

        assertThat(a.report(L).problem()).isEmpty();
    }

    @Test
    void aProcessThatSleptBetweenAReadsAnswerAndItsCallbackSoonReadsAgain() {
        Lease lease = heldBy(a);
        backendA.fault(Call.READ, new FaultyBackend.Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> read) {
                time.execute(() -> time.freeze(Duration.ofSeconds(10)));
                backendA.heal();
                return read.get();
            }
        });
        time.advance(Duration.ofMinutes(2));

        lease.ensureHeld();
    }
}
