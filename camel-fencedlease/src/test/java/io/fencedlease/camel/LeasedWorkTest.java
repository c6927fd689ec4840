package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: starting, giving back, draining and stopping keep their order whatever fails. Method: real contexts on H2. */
class LeasedWorkTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode a = new LeasedNode(database, "a");
    private final List<Object> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        a.close();
        database.close();
    }

    private static RouteBuilder timer(String name, List<Object> ran) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:t?period=50&delay=0").process(e -> ran.add(name));
            }
        };
    }

    @Test
    void aNodeThatCannotStartGivesTheLeaseBackAndAnotherRuns() throws Exception {
        Stubborn stubborn = new Stubborn();
        a.context.addComponent("stubborn", stubborn);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:stubborn:x").process(e -> {});
                    }
                })
                .start();
        eventually().until(() -> a.report().problem().orElse("").contains("could not start"));
        try (LeasedNode b =
                new LeasedNode(database, "b").routes(timer("b", ran)).start()) {
            eventually().until(() -> !ran.isEmpty());
            assertThat(a.holds()).isFalse();
        }
        stubborn.broken.set(false);
        eventually().until(() -> stubborn.started.get() && a.holds());
    }

    @Test
    void aStartThatHangsGivesTheLeaseBackAfterTheStartTimeout() throws Exception {
        Stubborn stubborn = new Stubborn();
        stubborn.broken.set(false);
        stubborn.hang = new CountDownLatch(1);
        a.component.setStartTimeout(500);
        a.context.addComponent("stubborn", stubborn);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:stubborn:x").process(e -> {});
                    }
                })
                .start();
        try (LeasedNode b = new LeasedNode(database, "b")) {
            eventually().until(a::holds);
            b.routes(timer("b", ran)).start();
            eventually().until(() -> !ran.isEmpty());
        }
        stubborn.hang.countDown();
        eventually().until(() -> stubborn.started.get() && a.holds());
    }

    @Test
    void aStartThatIsOverlateAfterALossLeavesNoSecondConsumerBehind() throws Exception {
        Stubborn stubborn = new Stubborn();
        stubborn.broken.set(false);
        stubborn.hang = new CountDownLatch(1);
        a.context.addComponent("stubborn", stubborn);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:stubborn:x").process(e -> {});
                    }
                })
                .start();
        eventually().until(() -> a.holds() && stubborn.starting.get() == 1);
        database.destroySessions();
        eventually().until(() -> !a.holds());
        stubborn.hang.countDown();
        eventually().until(() -> a.holds() && stubborn.starting.get() == 2);
        eventually().untilAsserted(() -> assertThat(stubborn.running).hasValue(1));
    }

    // T62: client-go#728
    @Test
    void aDrainThatTimesOutEndsTheTenureAndKeepsTheKeyUntilTheContextIsGone() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        a.context.getShutdownStrategy().setTimeout(1);
        a.context.getShutdownStrategy().setLogInflightExchangesOnTimeout(false);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?repeatCount=1&delay=0").process(e -> {
                            inFlight.countDown();
                            go.await(30, TimeUnit.SECONDS);
                        });
                    }
                })
                .start();
        assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
        a.close();
        // not released: the entry went with its session, and its lock-delay runs
        try (LeasedNode b =
                new LeasedNode(database, "b").routes(timer("b", ran)).start()) {
            eventually().until(() -> !ran.isEmpty());
        } finally {
            go.countDown();
        }
    }

    @Test
    void oneLeaseIsGivenBackWhileAnotherOfTheSameContextStillDrains() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?period=50&delay=0").process(e -> ran.add("a"));
                        from("fencedlease:slow:timer:s?repeatCount=1&delay=0").process(e -> {
                            slow.countDown();
                            go.await(30, TimeUnit.SECONDS);
                        });
                    }
                })
                .start();
        assertThat(slow.await(30, TimeUnit.SECONDS)).isTrue();
        eventually().until(() -> ran.contains("a"));
        a.context.getShutdownStrategy().setTimeout(30);
        try (LeasedNode b =
                new LeasedNode(database, "b").routes(timer("b", ran)).start()) {
            Thread stopping = new Thread(a::close, "stopping-a");
            stopping.start();
            eventually().until(() -> ran.contains("b"));
            assertThat(stopping.isAlive()).as("still draining the slow one").isTrue();
            go.countDown();
            stopping.join(30_000);
            assertThat(stopping.isAlive()).isFalse();
        }
    }

    @Test
    void aRouteStoppedAndStartedSoonKeepsItsTenure() throws Exception {
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?period=50&delay=0")
                                .routeId("r")
                                .process(e -> ran.add(e.getMessage().getHeader(FencingHeaders.TOKEN)));
                    }
                })
                .start();
        eventually().until(() -> !ran.isEmpty());
        Object token = ran.get(0);
        a.context.getRouteController().stopRoute("r");
        ran.clear();
        a.context.getRouteController().startRoute("r");
        eventually().until(() -> ran.size() > 2);
        assertThat(ran).containsOnly(token);
        a.context.getRouteController().suspendRoute("r");
        ran.clear();
        a.context.getRouteController().resumeRoute("r");
        eventually().until(() -> ran.size() > 2);
        assertThat(ran).containsOnly(token);
        a.context.getRouteController().stopRoute("r");
        eventually().until(() -> a.report().state() == LeaseReport.State.IDLE);
    }

    /** Consumers that fail or hang when they start. */
    static final class Stubborn extends DefaultComponent {

        final AtomicBoolean broken = new AtomicBoolean(true);
        final AtomicBoolean started = new AtomicBoolean();
        final AtomicInteger starting = new AtomicInteger();
        final AtomicInteger running = new AtomicInteger();
        volatile CountDownLatch hang = new CountDownLatch(0);
        volatile CountDownLatch hangInStop = new CountDownLatch(0);

        @Override
        protected Endpoint createEndpoint(String uri, String remaining, java.util.Map<String, Object> parameters) {
            return new DefaultEndpoint(uri, this) {
                @Override
                public Producer createProducer() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Consumer createConsumer(Processor processor) {
                    return new DefaultConsumer(this, processor) {
                        @Override
                        protected void doStart() throws Exception {
                            super.doStart();
                            if (broken.get()) {
                                throw new IllegalStateException("no such broker");
                            }
                            starting.incrementAndGet();
                            hang.await(60, TimeUnit.SECONDS);
                            started.set(true);
                            running.incrementAndGet();
                        }

                        @Override
                        protected void doStop() throws Exception {
                            super.doStop();
                            hangInStop.await(60, TimeUnit.SECONDS);
                            running.decrementAndGet();
                        }
                    };
                }
            };
        }
    }
}
