package io.fencedlease.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the keys of every fenced repository must do. Real time but for ages, real stores. */
public abstract class FencedKeysContract {

    protected static final LeaseName LEASE = new LeaseName("invoice-closer");

    private static final int HAND_OVERS = Integer.getInteger("fence.handOvers", 1_000);
    private static final Duration AT_MOST =
            Integer.getInteger("fence.handOvers") == null ? Duration.ofSeconds(8) : Duration.ofHours(1);

    private static final int FEWEST = 20;

    private final AtomicLong wall = new AtomicLong(1_700_000_000_000L);
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    /** One node's keys. */
    protected FencedKeys here;

    /** The same keys, as another node has them. */
    protected FencedKeys there;

    /** The keys of a repository, as one more node has them; all calls of one test reach one store. */
    protected abstract FencedKeys keys(LeaseName lease, String repository, Ticker ticker);

    /** A tenure that the store's lease service, if it asks one, takes for real. Tokens grow with the argument. */
    protected Tenure tenure(long token, String nonce) {
        return new Tenure(LEASE, new FencingToken(token), nonce);
    }

    /** The lease goes over to this tenure, as far as the store's lease service knows of it, and the fence is raised. */
    protected void raise(FencedKeys keys, Tenure tenure) throws Exception {
        keys.fence().raise(tenure);
    }

    /** One more node, or repository, of a tenure that is raised already; does nothing where the mark is all there is. */
    protected void alsoOn(FencedKeys keys, Tenure tenure) throws Exception {}

    protected final Tenure tenure(long token) {
        return tenure(token, "nonce-" + token);
    }

    protected final Ticker ticker() {
        return new Ticker() {
            @Override
            public long nanos() {
                return Ticker.system().nanos();
            }

            @Override
            public long wallMillis() {
                return wall.get();
            }
        };
    }

    @BeforeEach
    void twoNodes() {
        here = keys(LEASE, "orders", ticker());
        there = keys(LEASE, "orders", ticker());
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void aKeyIsClaimedOnce() throws Exception {
        raise(here, tenure(7));

        assertThat(here.contains(tenure(7), "a")).isFalse();
        assertThat(here.add(tenure(7), "a")).isEqualTo(Found.NEW);
        assertThat(here.contains(tenure(7), "a")).isTrue();
        assertThat(here.add(tenure(7), "a")).isEqualTo(Found.OURS);
        assertThat(here.add(tenure(7), "b")).isEqualTo(Found.NEW);
    }

    @Test
    void aConfirmedKeyStaysConfirmedForEveryTenure() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");

        assertThat(here.confirm(tenure(7), "a")).isTrue();
        assertThat(here.confirm(tenure(7), "a")).as("once").isFalse();
        assertThat(here.add(tenure(7), "a")).isEqualTo(Found.CONFIRMED);
        raise(there, tenure(9));
        assertThat(there.add(tenure(9), "a")).isEqualTo(Found.CONFIRMED);
        assertThat(there.contains(tenure(9), "a")).isTrue();
    }

    @Test
    void whatIsAddedAfterTheWorkIsConfirmedAtOnce() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "claimed");

        assertThat(here.addConfirmed(tenure(7), "a")).isEqualTo(Found.NEW);
        assertThat(here.addConfirmed(tenure(7), "claimed")).isEqualTo(Found.OURS);
        raise(there, tenure(9));
        assertThat(there.add(tenure(9), "a")).isEqualTo(Found.CONFIRMED);
        assertThat(there.add(tenure(9), "claimed")).isEqualTo(Found.CONFIRMED);
    }

    @Test
    void halfDoneWorkOfADeadHolderIsTakenOverByTheNextTenure() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        here.add(tenure(7), "late");
        raise(there, tenure(9));

        assertThat(there.contains(tenure(9), "a")).isFalse();
        assertThat(there.add(tenure(9), "a")).isEqualTo(Found.HALF_DONE);
        assertThat(there.add(tenure(9), "a")).isEqualTo(Found.OURS);
        assertThat(there.confirm(tenure(9), "a")).isTrue();
        assertThat(there.addConfirmed(tenure(9), "late")).isEqualTo(Found.HALF_DONE);
        assertThat(there.add(tenure(9), "late")).isEqualTo(Found.CONFIRMED);
    }

    /** T14 of the cases: an abort must not remove what another run has confirmed. */
    @Test
    void anAbortNeverRemovesWhatIsConfirmedAndLeavesNothingOfItsOwn() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "done");
        here.confirm(tenure(7), "done");
        here.add(tenure(7), "dropped");
        assertThat(here.remove(tenure(7), "done")).isFalse();
        assertThat(here.remove(tenure(7), "dropped")).isTrue();
        assertThat(here.remove(tenure(7), "dropped")).isFalse();
        assertThat(here.add(tenure(7), "dropped")).isEqualTo(Found.NEW);

        raise(there, tenure(9));
        assertThat(there.remove(tenure(9), "done")).isFalse();
        assertThat(there.contains(tenure(9), "done")).isTrue();
        assertThat(there.remove(tenure(9), "dropped"))
                .as("not ours unless taken over")
                .isFalse();
        there.add(tenure(9), "dropped");
        assertThat(there.remove(tenure(9), "dropped")).isTrue();
        assertThat(there.add(tenure(9), "dropped")).isEqualTo(Found.NEW);
    }

    @Test
    void onlyTheTenureThatClaimedConfirms() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        raise(there, tenure(9));

        assertThat(there.confirm(tenure(9), "a")).isFalse();
        assertThat(there.confirm(tenure(9), "never added")).isFalse();
        assertThat(there.contains(tenure(9), "a")).isFalse();
    }

    /** B14 of the protocol: also where the new holder has not touched the key. */
    @Test
    void aStaleHolderIsRefusedEveryOperationAndChangesNothing() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "claimed");
        raise(there, tenure(9));
        there.add(tenure(9), "next");

        for (String key : List.of("claimed", "next", "new")) {
            refused(tenure(7), keys -> keys.add(tenure(7), key));
            refused(tenure(7), keys -> keys.addConfirmed(tenure(7), key));
            refused(tenure(7), keys -> keys.contains(tenure(7), key));
            refused(tenure(7), keys -> keys.confirm(tenure(7), key));
            refused(tenure(7), keys -> keys.remove(tenure(7), key));
        }
        assertThat(there.add(tenure(9), "claimed")).isEqualTo(Found.HALF_DONE);
        assertThat(there.add(tenure(9), "next")).isEqualTo(Found.OURS);
        assertThat(there.add(tenure(9), "new")).isEqualTo(Found.NEW);
    }

    @Test
    void beforeTheFirstRaiseNobodyMayDoAnything() {
        refused(tenure(7), keys -> keys.add(tenure(7), "a"));
        refused(tenure(7), keys -> keys.contains(tenure(7), "a"));
    }

    @Test
    void anEqualTokenOfAnotherTenureMayDoNothing() throws Exception {
        raise(here, tenure(53, "old-cluster"));
        here.add(tenure(53, "old-cluster"), "a");

        refused(tenure(53, "new-cluster"), keys -> keys.add(tenure(53, "new-cluster"), "a"));
        refused(tenure(53, "new-cluster"), keys -> keys.confirm(tenure(53, "new-cluster"), "a"));
        assertThat(here.add(tenure(53, "old-cluster"), "a")).isEqualTo(Found.OURS);
    }

    @Test
    void aTenureOfAnotherLeaseIsAnErrorThatNamesBoth() {
        Tenure other = new Tenure(new LeaseName("mail-poller"), new FencingToken(8), "n");

        assertThatThrownBy(() -> here.add(other, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mail-poller")
                .hasMessageContaining("invoice-closer");
    }

    @Test
    void keysOfAnyTextStayApart() throws Exception {
        raise(here, tenure(7));
        String longest = "x".repeat(10_000);
        List<String> texts = List.of(
                "key",
                "KEY",
                "key ",
                " key",
                "kéy",
                "ke\u0301y",
                "",
                "a/../b",
                "a/b",
                "a%2Fb",
                "\u0000",
                "nul\u0000in",
                "\uD83D\uDE00",
                "'; DROP TABLE fencedlease_keys; --",
                longest,
                longest + "y");

        for (String text : texts) {
            assertThat(here.add(tenure(7), text)).as("%s", text).isEqualTo(Found.NEW);
        }
        for (String text : texts) {
            assertThat(here.add(tenure(7), text)).as("%s", text).isEqualTo(Found.OURS);
        }
    }

    @Test
    void repositoriesShareNoKeys() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        FencedKeys other = keys(LEASE, "orders.other", ticker());
        alsoOn(other, tenure(7));

        assertThat(other.add(tenure(7), "a")).isEqualTo(Found.NEW);
        other.remove(tenure(7), "a");
        assertThat(here.contains(tenure(7), "a")).isTrue();
    }

    /** T56 of the cases: growth is bounded, and what is under way is never forgotten. */
    @Test
    void cleanupForgetsWhatWasConfirmedLongAgoAndNothingElse() throws Exception {
        raise(here, tenure(7));
        for (String key : List.of("old 1", "old 2")) {
            here.add(tenure(7), key);
            here.confirm(tenure(7), key);
        }
        here.add(tenure(7), "under way");
        wall.addAndGet(Duration.ofDays(8).toMillis());
        here.addConfirmed(tenure(7), "young");
        FencedKeys other = keys(LEASE, "orders.other", ticker());
        alsoOn(other, tenure(7));
        other.addConfirmed(tenure(7), "of another repository");
        wall.addAndGet(Duration.ofDays(1).toMillis());

        assertThat(there.cleanup(Duration.ofDays(7))).isEqualTo(2);
        assertThat(here.add(tenure(7), "old 1")).isEqualTo(Found.NEW);
        assertThat(here.add(tenure(7), "under way")).isEqualTo(Found.OURS);
        assertThat(here.add(tenure(7), "young")).isEqualTo(Found.CONFIRMED);
        assertThat(other.add(tenure(7), "of another repository")).isEqualTo(Found.CONFIRMED);
    }

    @Test
    void ofConcurrentClaimsExactlyOneSucceeds() throws Exception {
        raise(here, tenure(7));
        alsoOn(there, tenure(7));
        for (int round = 0; round < 10; round++) {
            String key = "key " + round;
            assertThat(concurrently(i -> (i % 2 == 0 ? here : there).add(tenure(7), key)))
                    .containsEntry(Found.NEW, 1)
                    .containsEntry(Found.OURS, 7);
        }
    }

    @Test
    void ofConcurrentTakeOversExactlyOneSucceeds() throws Exception {
        raise(here, tenure(7));
        for (int round = 0; round < 10; round++) {
            here.add(tenure(7), "key " + round);
        }
        raise(there, tenure(9));
        alsoOn(here, tenure(9));
        for (int round = 0; round < 10; round++) {
            String key = "key " + round;
            assertThat(concurrently(i -> (i % 2 == 0 ? here : there).add(tenure(9), key)))
                    .containsEntry(Found.HALF_DONE, 1)
                    .containsEntry(Found.OURS, 7);
        }
    }

    /** Two nodes hand the lease to each other; each works on with its last tenure until it gets the next one. */
    @Test
    void noStaleOperationIsAcceptedAfterARaiseOverManyHandOvers() throws Exception {
        HandOvers race = new HandOvers();
        List<CompletableFuture<Void>> writers = List.of(race.writer(0), race.writer(1));
        long end = System.nanoTime() + AT_MOST.toNanos();
        int handOvers = 0;
        while (handOvers < HAND_OVERS && (System.nanoTime() < end || handOvers < FEWEST) && race.stale.isEmpty()) {
            handOvers++;
            race.handOver(handOvers);
        }
        race.over = true;
        for (CompletableFuture<Void> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        System.out.printf(
                "%s: %d hand-overs, %d operations accepted, %d refused%n",
                getClass().getSimpleName(), handOvers, race.accepted.get(), race.refused.get());
        assertThat(race.stale).isEmpty();
        assertThat(race.accepted.get()).isGreaterThan(handOvers / 2);
        assertThat(race.refused.get()).isPositive();
    }

    private final class HandOvers {
        final List<String> stale = java.util.Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger accepted = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();
        final List<AtomicReference<Tenure>> tenures = List.of(new AtomicReference<>(), new AtomicReference<>());
        volatile long raised;
        volatile boolean over;

        void handOver(int n) throws Exception {
            FencedKeys next = n % 2 == 0 ? here : there;
            Tenure tenure = tenure(n);
            int before = accepted.get();
            raise(next, tenure);
            raised = n;
            tenures.get(n % 2 == 0 ? 0 : 1).set(tenure);
            // let it work a little, or there is nobody to be fenced out
            long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (accepted.get() == before && System.nanoTime() < patience) {
                Thread.onSpinWait();
            }
        }

        CompletableFuture<Void> writer(int node) {
            return CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; !over; i++) {
                            Tenure own = tenures.get(node).get();
                            if (own != null) {
                                step(node == 0 ? here : there, own, node + "/" + i / 3, i % 3);
                            }
                        }
                    },
                    threads);
        }

        private void step(FencedKeys keys, Tenure own, String key, int kind) {
            long before = raised;
            try {
                boolean changed = kind == 0
                        ? keys.add(own, key) != Found.OURS
                        : kind == 1 ? keys.confirm(own, key) : keys.remove(own, key);
                accepted.incrementAndGet();
                if (own.token().value() < before) {
                    stale.add(own + " accepted after " + before + ", changed " + changed);
                }
            } catch (FencedOutException e) {
                refused.incrementAndGet();
            }
        }
    }

    private void refused(Tenure tenure, Function<FencedKeys, Object> operation) {
        assertThatThrownBy(() -> operation.apply(here))
                .isInstanceOfSatisfying(FencedOutException.class, e -> assertThat(e.token())
                        .isEqualTo(tenure.token().value()));
    }

    private Map<Found, Integer> concurrently(Function<Integer, Found> claim) throws Exception {
        List<CompletableFuture<Found>> claims = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> claim.apply(i), threads))
                .toList();
        Map<Found, Integer> found = new java.util.EnumMap<>(Found.class);
        for (CompletableFuture<Found> one : claims) {
            found.merge(one.get(60, TimeUnit.SECONDS), 1, Integer::sum);
        }
        return found;
    }
}
