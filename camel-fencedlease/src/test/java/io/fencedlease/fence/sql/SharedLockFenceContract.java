package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FencedOutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.dao.PessimisticLockingFailureException;

/** What holds where a holder's writers run side by side. */
abstract class SharedLockFenceContract extends SqlFenceContract {

    private static final int WRITERS = 16;

    /** A statement that takes 20 ms. */
    abstract String twentyMillis();

    @Test
    void writersOfOneHolderRunSideBySide() throws Exception {
        here.raise(tenure(7));
        Pause first = new Pause();
        CompletableFuture<Throwable> slow = inBackground(() -> here.guard(tenure(7), () -> {
            first.here();
            return null;
        }));
        first.awaitReached();
        here.guard(tenure(7), write("beside it"));
        first.end();

        assertThat(outcome(slow)).isNull();
    }

    @Test
    void overlappingWritersDoNotStarveARaise() throws Exception {
        SqlFence patient =
                fence(OPTIONS.withRaiseTimeout(Duration.ofSeconds(60)).withEvict(false));
        patient.raise(tenure(7));
        AtomicLong slowest = new AtomicLong();
        AtomicInteger writes = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<CompletableFuture<Throwable>> writers = IntStream.range(0, WRITERS)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> writeUntilRefused(slowest, writes), threads))
                    .toList();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> writes.get() > 4 * WRITERS);
            Duration took = measure(() -> patient.raise(tenure(9)));

            for (CompletableFuture<Throwable> writer : writers) {
                assertThat(outcome(writer)).isInstanceOf(FencedOutException.class);
            }
            System.out.printf(
                    "%s: raise past %d writers %d ms, slowest transaction %d ms%n",
                    getClass().getSimpleName(), WRITERS, took.toMillis(), slowest.get() / 1_000_000);
            assertThat(took).isLessThan(Duration.ofNanos(slowest.get()).plusSeconds(1));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aDeadlockOfTwoWritesIsRolledBackAndIsNoRefusal() throws Exception {
        here.raise(tenure(7));
        twoSlots();
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        var upwards = inBackground(() -> here.guard(tenure(7), () -> crossing(1, 2, bothHoldOne)));
        var downwards = inBackground(() -> here.guard(tenure(7), () -> crossing(2, 1, bothHoldOne)));

        List<Throwable> failures = Stream.of(outcome(upwards), outcome(downwards))
                .filter(Objects::nonNull)
                .toList();
        assertThat(failures).hasSize(1).hasOnlyElementsOfType(PessimisticLockingFailureException.class);
        assertThat(jdbc.queryForList("SELECT n FROM slot", Integer.class)).containsExactly(1, 1);
        here.guard(tenure(7), write("afterwards"));
        assertThat(written()).containsExactly("afterwards");
    }

    private Void crossing(int first, int second, CyclicBarrier bothHoldOne) throws Exception {
        jdbc.update("UPDATE slot SET n = n + 1 WHERE id = ?", first);
        bothHoldOne.await(30, TimeUnit.SECONDS);
        jdbc.update("UPDATE slot SET n = n + 1 WHERE id = ?", second);
        return null;
    }

    private Throwable writeUntilRefused(AtomicLong slowest, AtomicInteger writes) {
        try {
            while (true) {
                long before = System.nanoTime();
                here.guard(tenure(7), () -> {
                    jdbc.execute(twentyMillis());
                    return null;
                });
                slowest.accumulateAndGet(System.nanoTime() - before, Math::max);
                writes.incrementAndGet();
            }
        } catch (Exception e) {
            return e;
        }
    }
}
