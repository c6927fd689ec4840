package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.seda.SedaEndpoint;
import org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy;
import org.apache.camel.processor.aggregate.UseLatestAggregationStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a tenure counts what is alive under it until the last copy is done, and reaches zero. Method: a copy waits in a
 * step while its original has ended.
 */
class AliveExchangesTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicReference<RunningTenure> running = new AtomicReference<>();

    @BeforeEach
    void start() throws Exception {
        node.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        leased("plain").process(e -> {});
                        leased("seda").to("seda:slow");
                        leased("wireTap").wireTap("direct:slow");
                        leased("wireTapToSeda").wireTap("seda:slow");
                        leased("threads").threads(1).to("direct:slow");
                        leased("split")
                                .split(body().tokenize(","))
                                .parallelProcessing()
                                .to("seda:slow");
                        leased("onCompletion")
                                .onCompletion()
                                .to("direct:slow")
                                .end()
                                .process(e -> {});
                        leased("multicast").multicast().to("seda:slow", "direct:quick");
                        leased("aggregateLatest")
                                .aggregate(constant(1), TenureAggregation.of(new UseLatestAggregationStrategy()))
                                .completionSize(2)
                                .to("direct:slow");
                        leased("aggregateGrouped")
                                .aggregate(constant(1), TenureAggregation.of(new GroupedBodyAggregationStrategy()))
                                .completionSize(2)
                                .to("direct:slow");
                        leased("full").to("seda:full?size=1");
                        leased("discarding").to("seda:full?size=1&discardWhenFull=true");
                        from("seda:full?size=1").to("direct:slow");
                        leased("rejected").wireTap("direct:quick").executorService(shutDown());
                        leased("misplaced").to("direct:misplacedHop");
                        from("direct:misplacedHop")
                                .split(body().tokenize(","), TenureAggregation.of(new GroupedBodyAggregationStrategy()))
                                .process(e -> {});
                        leased("answered").to("seda:leased?waitForTaskToComplete=Always&timeout=0");
                        from("fencedlease:L:seda:leased").to("direct:slow");
                        leased("mixing").to("direct:mixingHop");
                        from("direct:mixingHop")
                                .aggregate(constant(1), new UseLatestAggregationStrategy())
                                .completionSize(1)
                                .to("direct:quick");
                        from("direct:quick").process(e -> {});
                        from("seda:slow").to("direct:slow");
                        from("direct:slow").process(e -> {
                            arrived.countDown();
                            go.await(30, TimeUnit.SECONDS);
                        });
                    }

                    private org.apache.camel.model.RouteDefinition leased(String name) {
                        return from("fencedlease:L:direct:" + name)
                                .process(e -> running.set(TenureStamp.of(e).running()));
                    }
                })
                .start();
        eventually().until(() -> {
            send("plain");
            return running.get() != null;
        });
        eventually().until(() -> running.get().alive() == 0);
    }

    private void send(String route) {
        node.context.createProducerTemplate().asyncSendBody("direct:" + route, "a,b");
    }

    private static ExecutorService shutDown() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.shutdown();
        return pool;
    }

    @AfterEach
    void stop() {
        go.countDown();
        node.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"seda", "wireTap", "wireTapToSeda", "threads", "split", "onCompletion", "multicast"})
    void countsUntilTheLastCopyIsDone(String route) throws Exception {
        send(route);
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        eventually().until(() -> node.context.getInflightRepository().size() <= 2);
        assertThat(running.get().alive()).isPositive();
        go.countDown();
        eventually().until(() -> running.get().alive() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregateLatest", "aggregateGrouped"})
    void countsWhatWaitsInAnAggregator(String route) throws Exception {
        node.context.createProducerTemplate().sendBody("direct:" + route, "a");
        assertThat(running.get().alive()).as("gathered").isEqualTo(1);
        send(route);
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(running.get().alive()).as("coming out").isPositive();
        go.countDown();
        eventually().until(() -> running.get().alive() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "discarding"})
    void whatAFullQueueDropsIsNotCounted(String route) throws Exception {
        send(route);
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 3; i++) {
            node.context.createProducerTemplate().send("direct:" + route, e -> {});
        }
        // the one at work; who sent it may still be on its way out
        eventually().until(() -> running.get().alive() == 1);
        go.countDown();
        eventually().until(() -> running.get().alive() == 0);
    }

    @Test
    void aTappedCopyThatThePoolRefusesIsNotCounted() {
        Exchange refused = node.context.createProducerTemplate().request("direct:rejected", e -> {});
        assertThat(refused.getException()).isInstanceOf(RejectedExecutionException.class);
        assertThat(running.get().alive()).isZero();
    }

    @Test
    void anAggregatorThatCouldMixTenuresRefusesThemInAHopToo() {
        Exchange refused = node.context.createProducerTemplate().request("direct:mixing", e -> {});
        assertThat(refused.getException())
                .hasMessageContaining("aggregationStrategy")
                .hasMessageContaining("lease 'L'");
        Exchange free = node.context.createProducerTemplate().request("direct:quick", e -> {});
        assertThat(free.getException()).isNull();
    }

    @Test
    void aSplitThatWouldHoldATenureForEverRefusesItInAHopToo() {
        Exchange refused = node.context.createProducerTemplate().request("direct:misplaced", e -> {});
        assertThat(refused.getException()).hasMessageContaining("without TenureAggregation");
        assertThat(running.get().alive()).isZero();
    }

    @Test
    void aGroupThatWaitsForMoreDoesNotKeepTheNodeFromAskingAgainAfterALoss() {
        node.context.createProducerTemplate().sendBody("direct:aggregateLatest", "a");
        RunningTenure old = running.get();
        assertThat(old.alive()).isEqualTo(1);
        database.destroySessions();
        eventually().until(old::lost);
        eventually().until(() -> old.alive() == 0 && node.holds());
        // what joins the old group is refused, and a new one is not hindered
        eventually().until(() -> {
            node.context.createProducerTemplate().request("direct:plain", e -> {});
            return running.get() != old;
        });
    }

    @Test
    void afterALossTheQueueOfALeasedRouteIsWorkedOffByRefusals() throws Exception {
        send("answered");
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        send("answered");
        RunningTenure old = running.get();
        SedaEndpoint queue = node.context.getEndpoint("seda:leased", SedaEndpoint.class);
        eventually().until(() -> queue.getExchanges().size() == 1);
        database.destroySessions();
        eventually().until(old::lost);
        go.countDown();
        eventually().until(() -> old.alive() == 0);
        eventually().until(node::holds);
        assertThat(queue.getExchanges()).isEmpty();
    }

    @Test
    void afterALossItIsNotAskedForAgainWhileWorkOfItIsAlive() throws Exception {
        send("seda");
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        RunningTenure old = running.get();
        database.destroySessions();
        eventually().until(old::lost);
        eventually().untilAsserted(() -> assertThat(node.report().problem().orElse(""))
                .contains(old.tenure().toString(), "still run"));
        assertThat(node.holds()).isFalse();
        go.countDown();
        eventually().until(node::holds);
        assertThat(node.report().tenure().orElseThrow().token())
                .isGreaterThan(old.tenure().token());
        eventually().until(() -> node.report().problem().isEmpty());
    }
}
