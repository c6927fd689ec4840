package io.fencedlease.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every marked {@link Fence} must do. Real time, real resources. */
public abstract class FenceContract {

    protected static final LeaseName LEASE = new LeaseName("invoice-closer");

    /** On a machine with other work. */
    private static final Duration LOAD = Duration.ofSeconds(2);

    /** The fence as one node has it. */
    protected abstract Fence fence();

    /** The same mark, as another node has it. */
    protected abstract Fence elsewhere();

    /** A write for {@link Fence#guard}, of the same resource by whichever node. */
    protected abstract Callable<Void> write(String what);

    /** What has been written and took effect, in any order. */
    protected abstract List<String> written();

    /** How long a raise lets itself be blocked. */
    protected abstract Duration raiseTimeout();

    protected static Tenure tenure(long token) {
        return tenure(token, "nonce-" + token);
    }

    protected static Tenure tenure(long token, String nonce) {
        return new Tenure(LEASE, new FencingToken(token), nonce);
    }

    @Test
    void theTenureItWasRaisedForWrites() throws Exception {
        fence().raise(tenure(7));
        fence().guard(tenure(7), write("seven"));

        assertThat(written()).containsExactly("seven");
    }

    @Test
    void beforeTheFirstRaiseNobodyWrites() {
        refused(7, 0);
    }

    @Test
    void onceRaisedItRefusesEveryEarlierTenure() throws Exception {
        fence().raise(tenure(7));
        elsewhere().raise(tenure(9));

        refused(7, 9);
        elsewhere().guard(tenure(9), write("nine"));
        assertThat(written()).containsExactly("nine");
    }

    @Test
    void aLaterTenureThatHasNotRaisedDoesNotWriteAndLiftsNothing() throws Exception {
        fence().raise(tenure(7));

        assertThat(refused(9, 7)).hasMessageContaining("mark went backwards");
        refused(9, 7);
    }

    @Test
    void aRepeatedRaiseChangesNothing() throws Exception {
        fence().raise(tenure(7));
        fence().raise(tenure(7));
        fence().guard(tenure(7), write("seven"));

        assertThat(written()).containsExactly("seven");
    }

    @Test
    void aLateRaiseIsRefusedAndLowersNothing() throws Exception {
        elsewhere().raise(tenure(9));

        assertThatThrownBy(() -> fence().raise(tenure(7)))
                .isInstanceOfSatisfying(
                        RaiseRefusedException.class, e -> assertThat(e.mark()).isEqualTo(9));
        elsewhere().guard(tenure(9), write("nine"));
        refused(7, 9);
    }

    @Test
    void anEqualTokenOfAnotherTenureNeitherRaisesNorWrites() throws Exception {
        fence().raise(tenure(53, "old-cluster"));
        Tenure other = tenure(53, "new-cluster");

        assertThatThrownBy(() -> elsewhere().raise(other))
                .isInstanceOfSatisfying(
                        RaiseRefusedException.class, e -> assertThat(e.mark()).isEqualTo(53))
                .hasMessageContaining("another tenure")
                .hasMessageNotContaining("old-cluster");
        assertThatThrownBy(() -> elsewhere().guard(other, write("wrong"))).isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void aWriteThatFailsLeavesNothingAndItsExceptionComesOut() throws Exception {
        fence().raise(tenure(7));

        assertThatThrownBy(() -> fence().guard(tenure(7), () -> {
                    write("half").call();
                    throw new java.io.IOException("the other half");
                }))
                .isExactlyInstanceOf(java.io.IOException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void tokensKeepAll64Bits() throws Exception {
        long beyondDouble = (1L << 53) + 1;
        fence().raise(tenure(beyondDouble));
        refused(beyondDouble - 1, beyondDouble);
        fence().guard(tenure(beyondDouble), write("beyond double"));

        fence().raise(tenure(Long.MAX_VALUE));
        refused(Long.MAX_VALUE - 1, Long.MAX_VALUE);
        fence().guard(tenure(Long.MAX_VALUE), write("max"));
        assertThat(written()).containsExactlyInAnyOrder("beyond double", "max");
    }

    @Test
    void ofConcurrentRaisesTheHighestStays() throws Exception {
        List<CompletableFuture<Throwable>> raises = LongStream.rangeClosed(1, 8)
                .mapToObj(n -> CompletableFuture.supplyAsync(
                        () -> catchThrowable(() -> (n % 2 == 0 ? fence() : elsewhere()).raise(tenure(n)))))
                .toList();

        for (CompletableFuture<Throwable> raise : raises) {
            Throwable refusal = raise.get(60, TimeUnit.SECONDS);
            assertThat(refusal == null || refusal instanceof RaiseRefusedException)
                    .as("%s", refusal)
                    .isTrue();
        }
        fence().guard(tenure(8), write("eight"));
        refused(7, 8);
    }

    @Test
    void nothingOfABusyHolderLandsAfterTheRaiseReturned() throws Exception {
        fence().raise(tenure(7));
        AtomicBoolean raised = new AtomicBoolean();
        CompletableFuture<Throwable> holder = CompletableFuture.supplyAsync(() -> catchThrowable(() -> {
            for (int i = 0; i < 100_000; i++) {
                boolean after = raised.get();
                fence().guard(tenure(7), write((after ? "late " : "") + i));
            }
        }));
        while (written().isEmpty()) {
            Thread.onSpinWait();
        }
        elsewhere().raise(tenure(9));
        List<String> atRaise = written();
        raised.set(true);

        assertThat(holder.get(60, TimeUnit.SECONDS)).isInstanceOf(FencedOutException.class);
        assertThat(written()).containsExactlyInAnyOrderElementsOf(atRaise);
    }

    @Test
    void aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands() throws Exception {
        fence().raise(tenure(7));
        Pause pause = new Pause();
        CompletableFuture<Throwable> holder =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> fence().guard(tenure(7), () -> {
                    write("paused").call();
                    pause.here();
                    return null;
                })));
        pause.awaitReached();
        long before = System.nanoTime();
        try {
            elsewhere().raise(tenure(9));
        } finally {
            pause.end();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(holder.get(60, TimeUnit.SECONDS)).isInstanceOf(FencedOutException.class);
        elsewhere().guard(tenure(9), write("next"));
        assertThat(written()).containsExactly("next");
        assertThat(took).isLessThan(raiseTimeout().plusSeconds(1).plus(LOAD));
    }

    @Test
    void aTenureOfAnotherLeaseIsAnErrorThatNamesBoth() {
        Tenure other = new Tenure(new LeaseName("mail-poller"), new FencingToken(8), "n");

        assertThatThrownBy(() -> fence().guard(other, write("wrong")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mail-poller")
                .hasMessageContaining("invoice-closer");
        assertThatThrownBy(() -> fence().raise(other)).isInstanceOf(IllegalArgumentException.class);
    }

    private FencedOutException refused(long token, long mark) {
        List<String> before = written();
        FencedOutException refusal = (FencedOutException) catchThrowable(() -> {
            fence().guard(tenure(token), write("stale " + token));
        });
        assertThat(refusal).as("write of token %d", token).isNotNull();
        assertThat(refusal.token()).isEqualTo(token);
        assertThat(refusal.mark()).isEqualTo(mark);
        assertThat(written()).containsExactlyInAnyOrderElementsOf(before);
        return refusal;
    }

    /** A point where a thread stands still, as if its process were stopped. */
    protected static final class Pause {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        public Pause() {}

        public void here() {
            reached.countDown();
            await(over);
        }

        public void awaitReached() {
            await(reached);
        }

        public void end() {
            over.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
