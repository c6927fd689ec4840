package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.LeaseName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: the first use builds, nobody else is held up by that. Method: a real builder that is made to wait. */
class LeasedContextSlotTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final CountDownLatch building = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger built = new AtomicInteger();
    private final LeasedContextSlot slot = new LeasedContextSlot(() -> {
        building.countDown();
        go.await(60, TimeUnit.SECONDS);
        built.incrementAndGet();
        return new LeasedContextBuilder(node.component).build();
    });

    @AfterEach
    void stop() {
        go.countDown();
        slot.end();
        node.close();
        database.close();
    }

    private CompletableFuture<LeasedContext> get() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return slot.get();
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                },
                task -> new Thread(task, "slot-test").start());
    }

    @Test
    void whoOnlyLooksDoesNotWaitAndWhoNeedsItGetsTheSame() throws Exception {
        node.start();
        CompletableFuture<LeasedContext> first = get();
        assertThat(building.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<LeasedContext> second = get();
        assertThat(slot.current()).isEmpty();
        slot.onContextStarted(node.context);

        go.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isSameAs(second.get(60, TimeUnit.SECONDS));
        assertThat(built).hasValue(1);
        assertThat(slot.current()).containsSame(first.join());
    }

    @Test
    void aStartOfTheContextIsNotMissedWhileItIsBuilt() throws Exception {
        node.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:x").to("log:x");
            }
        });
        CompletableFuture<LeasedContext> first = get();
        assertThat(building.await(60, TimeUnit.SECONDS)).isTrue();
        slot.onContextStarted(node.context);
        go.countDown();
        LeasedContext leased = first.get(60, TimeUnit.SECONDS);
        leased.work(new LeaseName("L")).add(new EarlyStopTest.Noting());
        eventually().until(() -> leased.reports().size() == 1);
    }

    @Test
    void whatIsBuiltAfterTheEndIsEndedToo() throws Exception {
        node.start();
        CompletableFuture<LeasedContext> first = get();
        assertThat(building.await(60, TimeUnit.SECONDS)).isTrue();
        slot.end();
        go.countDown();
        LeasedContext leased = first.get(60, TimeUnit.SECONDS);
        assertThat(slot.current()).isEmpty();
        eventually().until(() -> leased.threads().workers().isShutdown());
    }

    @Test
    void aFailureIsToldAndTheNextUseTriesAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        LeasedContextSlot failing = new LeasedContextSlot(() -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("no such file");
            }
            return new LeasedContextBuilder(node.component).build();
        });
        node.start();
        assertThatThrownBy(failing::get).hasMessage("no such file");
        assertThat(failing.current()).isEmpty();
        assertThat(failing.get()).isNotNull();
        failing.end();
    }
}
