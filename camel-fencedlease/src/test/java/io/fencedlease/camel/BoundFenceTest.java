package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Tenure;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: a fence that comes during a tenure is raised once for it. Method: a real lease on H2, a counting fence. */
class BoundFenceTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final Counting fence = new Counting();
    private Leases leases;
    private Lease lease;

    @BeforeEach
    void hold() throws Exception {
        node.start();
        node.component.init();
        leases = Leases.builder(new BackendFactory(node.component).build())
                .settings(node.component.leaseOptions().settings("*"))
                .build();
        lease = leases.acquire(new LeaseName("B")).get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        fence.go.countDown();
        lease.close();
        leases.close();
        node.close();
        database.close();
    }

    @Test
    void manyWritesThatFindItNotRaisedRaiseItOnce() throws Exception {
        BoundFence bound = new BoundFence(leases, lease.name(), fence, () -> true);
        List<CompletableFuture<Void>> writes = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> ensureRaised(bound), task -> new Thread(task).start()))
                .toList();
        eventually().until(() -> fence.raises.get() > 0);
        assertThat(writes).noneMatch(CompletableFuture::isDone);
        fence.go.countDown();
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        ensureRaised(bound);
        assertThat(fence.raises).hasValue(1);
    }

    @Test
    void afterAFailedRaiseTheNextWriteTriesAgain() {
        fence.go.countDown();
        fence.broken.set(true);
        BoundFence bound = new BoundFence(leases, lease.name(), fence, () -> true);
        assertThat(CompletableFuture.runAsync(() -> ensureRaised(bound))).failsWithin(30, TimeUnit.SECONDS);
        fence.broken.set(false);
        ensureRaised(bound);
        assertThat(fence.raises).hasValue(2);
    }

    private void ensureRaised(BoundFence bound) {
        try {
            bound.ensureRaised(lease);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static final class Counting implements Fence {

        private final AtomicInteger raises = new AtomicInteger();
        private final AtomicBoolean broken = new AtomicBoolean();
        private final CountDownLatch go = new CountDownLatch(1);

        @Override
        public String resource() {
            return "counting";
        }

        @Override
        public void raise(Tenure tenure) {
            raises.incrementAndGet();
            try {
                go.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            if (broken.get()) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
            return write.call();
        }
    }
}
