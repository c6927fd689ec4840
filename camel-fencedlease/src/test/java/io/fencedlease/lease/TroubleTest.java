package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.FaultyBackend.Call;
import io.fencedlease.lease.LossReason.Kind;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Goal: what wore out other clients in months does not wear out this one. Method: hours of trouble in virtual time. */
class TroubleTest extends VirtualNodes {

    private final AtomicReference<Lease> held = new AtomicReference<>();

    /** Holds whenever it can: closes each lost lease and asks for the next. */
    private void wantForEver(Leases node) {
        node.acquire(L).thenAccept(lease -> {
            held.set(lease);
            lease.lost().thenRun(() -> {
                lease.close();
                wantForEver(node);
            });
        });
    }

    // T11: apache/camel-quarkus#6761
    @RepeatedTest(100)
    void afterFiveMinutesOfEveryKindOfFailureSomebodyHoldsWithinTheBound(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        wantForEver(a);
        wantForEver(b);
        time.advance(Duration.ofSeconds(random.nextInt(30)));
        for (FaultyBackend backend : List.of(backendA, backendB)) {
            for (Call call : Call.values()) {
                backend.fault(call, new AnyFailure(random));
            }
        }
        time.advance(Duration.ofMinutes(5));

        backendA.heal();
        backendB.heal();
        time.advance(S.failoverBound());

        held.get().ensureHeld();
    }

    /** An error, silence, an answer that is lost, a bug, or none of them. */
    private record AnyFailure(Random random) implements FaultyBackend.Fault {
        @Override
        public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> call) {
            return switch (random.nextInt(6)) {
                case 0, 1 -> CompletableFuture.failedFuture(new BackendUnavailableException("500 No cluster leader"));
                case 2 -> FaultyBackend.LOST.apply(call);
                case 3 -> FaultyBackend.DONE_SILENTLY.apply(call);
                case 4 -> throw new IllegalStateException("connection reset, and a bug");
                default -> call.get();
            };
        }
    }

    // T40: etcd#22123
    @Test
    void aReleaseThatNeverSucceedsIsTriedAgainAndTheSessionIsDestroyedAtTheLatestOnClosing() {
        Lease lease = heldBy(a);
        backendA.fail(Call.RELEASE, () -> new BackendUnavailableException("500"));
        lease.close();
        time.advance(Duration.ofMinutes(1));
        assertThat(backendA.calls.get(Call.RELEASE)).isGreaterThan(5);
        assertThat(service.holderOf(L)).isNotEmpty();

        CompletableFuture<Void> ended = a.endInOrder();
        time.advance(S.attemptLimit().multipliedBy(3));

        assertThat(ended).isCompleted();
        assertThat(service.openSessions()).isZero();
        assertThat(service.holderOf(L)).isEmpty();
    }

    @Test
    void aFailedOpeningIsTriedAgainAfterTheBackoffNotAfterARenewalInterval() {
        backendA.fail(Call.OPEN, () -> new BackendUnavailableException("500 No cluster leader"));
        CompletableFuture<Lease> future = a.acquire(L);
        time.advance(Duration.ofMillis(1));
        assertThat(backendA.calls.get(Call.OPEN)).isEqualTo(1);
        backendA.heal();

        time.advance(A_MOMENT);

        assertThat(future).isCompleted();
    }

    @Test
    void aFailedRenewalIsTriedAgainAfterTheBackoffNotAfterARenewalInterval() {
        heldBy(a);
        backendA.fail(Call.RENEW, () -> new BackendUnavailableException("500 No cluster leader"));
        int before = backendA.calls.get(Call.RENEW);
        time.advance(S.renewalInterval());
        assertThat(a.report(L).problem()).isPresent();
        time.advance(S.renewalInterval()); // alone: no read that is due at the same time wakes the loop

        assertThat(backendA.calls.get(Call.RENEW) - before).isGreaterThan(5);
    }

    // T57: redisson#4698
    @Test
    void whileRenewalsFailTheReportSaysHowLongTheLeaseMayStillBeBelieved() {
        Lease lease = heldBy(a);
        backendA.fail(Call.RENEW, () -> new BackendUnavailableException("500 No cluster leader"));
        time.advance(S.ttl().dividedBy(2));

        lease.ensureHeld();
        assertThat(a.report(L).problem())
                .get()
                .asString()
                .matches(".*not renewed, \\d+ ms left: 500 No cluster leader");
    }

    // T65: fabric8#4477
    @Test
    void whoStoodDownLetsAnotherNodeHaveTheLeaseAndCompetesAgainLater() {
        backendB.poll = Optional.of(Duration.ofSeconds(1));
        Lease first = heldBy(a);
        CompletableFuture<Lease> ofB = b.acquire(L);
        time.advance(A_MOMENT);

        first.standDown("asked to by a person");
        first.close();
        CompletableFuture<Lease> again = a.acquire(L);
        time.advance(Duration.ofSeconds(2));

        assertThat(ofB).isCompleted();
        assertThat(again).isNotDone();
        ofB.join().close();
        time.advance(S.renewalInterval().plus(S.lockDelay()));
        assertThat(again).isCompleted();
    }

    // T65: kubernetes#62120
    @Test
    void whoStoodDownHoldsAgainIfNobodyElseWantsTheLease() {
        Lease first = heldBy(a);
        first.standDown("asked to by a person");
        first.close();
        CompletableFuture<Lease> again = a.acquire(L);
        time.advance(S.lockDelay().minusSeconds(1));
        assertThat(again).isNotDone();

        time.advance(S.renewalInterval().plusSeconds(1));

        assertThat(again).isCompleted();
    }

    // T80: silas/node-consul#54
    @Test
    void aLeaseIsHeldForADayUnderOneToken() {
        Lease lease = heldBy(a);

        time.advance(Duration.ofDays(1));

        lease.ensureHeld();
        assertThat(service.openSessions()).isEqualTo(1);
        assertThat(backendA.calls.get(Call.OPEN)).isEqualTo(1);
    }

    // T68: hashicorp/consul#2371
    @Test
    void fromTheLossOnTheSessionIsNotRenewedAndItIsGoneWithinOneTtl() {
        Lease lease = heldBy(a);
        backendA.fault(Call.RENEW, FaultyBackend.LOST);
        backendA.fail(Call.DESTROY, () -> new BackendRefusedException("missing right: session:write"));
        backendA.fail(Call.OPEN, () -> new BackendRefusedException("missing right: session:write"));
        time.advance(S.beliefSpan());
        assertLost(lease, Kind.DEADLINE_PASSED);
        int renewals = backendA.calls.get(Call.RENEW);

        time.advance(S.ttl());

        assertThat(backendA.calls.get(Call.RENEW)).isEqualTo(renewals);
        assertThat(service.holderOf(L)).isEmpty();
        assertThat(service.openSessions()).isZero();
    }

    @Test
    void fiveHundredCyclesLeaveNoTimerBehind() {
        long timers = 0;
        for (int i = 0; i < 500; i++) {
            Lease lease = heldBy(a);
            if (i == 1) {
                timers = time.pending();
            }
            service.endAllSessions();
            time.advance(S.renewalInterval().plus(A_MOMENT));
            assertThat(lease.lossReason()).isPresent();
            lease.close();
        }
        heldBy(a);
        time.advance(S.startTimeout());

        assertThat(time.pending()).isLessThanOrEqualTo(timers);
    }
}
