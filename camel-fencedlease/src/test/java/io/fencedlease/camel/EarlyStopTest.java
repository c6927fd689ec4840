package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: what stops one route of a tenure never reaches a later one. Method: a part that writes down what is done to it. */
class EarlyStopTest {

    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final WorkThreads threads = new WorkThreads(Timers.system("early-stop-test"), workers);
    private final AtomicBoolean lasts = new AtomicBoolean(true);
    private final Noting part = new Noting();

    @AfterEach
    void close() {
        threads.loop().close();
        workers.shutdownNow();
    }

    @Test
    void stopsAfterWhatIsInFlight() throws Exception {
        part.idle = false;
        EarlyStop.begin(part, threads, lasts::get);
        LeasedNode.eventually().until(() -> part.done.contains("suspend"));
        settle();
        assertThat(part.done).containsExactly("suspend");
        part.idle = true;
        LeasedNode.eventually().until(() -> part.done.contains("stop"));
    }

    @Test
    void aSuspendThatComesLateLeavesTheNextTenureAlone() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Void> before = part.lane().run(threads, () -> busy.await(60, TimeUnit.SECONDS));
        EarlyStop.begin(part, threads, lasts::get);
        lasts.set(false);
        busy.countDown();
        before.get(60, TimeUnit.SECONDS);
        settle();
        assertThat(part.done).isEmpty();
    }

    @Test
    void aStopThatComesLateLeavesTheNextTenureAlone() throws Exception {
        part.idle = false;
        EarlyStop.begin(part, threads, lasts::get);
        LeasedNode.eventually().until(() -> part.looked);
        lasts.set(false);
        part.idle = true;
        settle();
        assertThat(part.done).containsExactly("suspend");
    }

    /** Everything that is queued now has run. */
    private void settle() throws Exception {
        for (int i = 0; i < 3; i++) {
            part.lane().run(threads, () -> {}).get(60, TimeUnit.SECONDS);
            CompletableFuture<Void> looked = new CompletableFuture<>();
            threads.loop().after(Emptying.LOOK_AGAIN.multipliedBy(2), () -> looked.complete(null));
            looked.get(60, TimeUnit.SECONDS);
        }
    }

    static final class Noting implements LeasedPart {

        private final List<String> done = new CopyOnWriteArrayList<>();
        private final Lane lane = new Lane();
        private volatile boolean idle = true;
        private volatile boolean looked;

        @Override
        public String describe() {
            return "part";
        }

        @Override
        public String routeId() {
            return "part";
        }

        @Override
        public boolean idle() {
            looked = true;
            return idle;
        }

        @Override
        public Lane lane() {
            return lane;
        }

        @Override
        public void start(RunningTenure tenure) {
            done.add("start");
        }

        @Override
        public void suspend() {
            done.add("suspend");
        }

        @Override
        public void stop() {
            done.add("stop");
        }

        @Override
        public boolean quiet() {
            return true;
        }
    }
}
