package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.camel.FencedLeaseComponent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: a stop that races a gain or a loss ends. Method: contexts on H2, stopped at random moments, and the JVM asked. */
class StopRacesIT {

    private static final int ROUNDS = 200;
    private static final int AT_ONCE = 8;

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    @AfterEach
    void close() {
        new JdbcTemplate(pool).execute("shutdown");
        pool.dispose();
    }

    // T03: CAMEL-24626
    @Test
    void twoHundredStopsRacingGainsAndLossesEndWithoutDeadlock() throws IOException {
        pool.setMaxConnections(50);
        createTables();
        long seed = System.nanoTime();
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int lane = 0; lane < AT_ONCE; lane++) {
            Random random = new Random(seed + lane);
            lanes.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < ROUNDS / AT_ONCE; i++) {
                    round(random);
                }
            }));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
        assertThat(all).as("seed " + seed).succeedsWithin(Duration.ofSeconds(240));
    }

    private void createTables() throws IOException {
        try (DefaultCamelContext first = context(Way.CONSUMER)) {
            first.start();
            awaitRunning(first);
        }
    }

    /** Half of the stops race a gain; the others a loss, or nothing. */
    private void round(Random random) {
        DefaultCamelContext context = context(Way.values()[random.nextInt(2)]);
        try {
            context.start();
            CompletableFuture<Void> losing = CompletableFuture.completedFuture(null);
            if (random.nextBoolean()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
            } else {
                awaitRunning(context);
                losing = CompletableFuture.runAsync(this::destroySessions);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(50));
            }
            long stopping = System.nanoTime();
            CompletableFuture.runAsync(context::stop).get(30, TimeUnit.SECONDS);
            assertThat(Journal.since(stopping)).isLessThan(Duration.ofSeconds(15));
            losing.get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
    }

    private void destroySessions() {
        new JdbcTemplate(pool).update("delete from fencedlease_session");
    }

    private static void awaitRunning(DefaultCamelContext context) {
        MockEndpoint next = context.getEndpoint("mock:next?retainLast=1", MockEndpoint.class);
        ConsulNodes.eventually().until(() -> next.getReceivedCounter() > 0);
    }

    private DefaultCamelContext context(Way way) {
        DefaultCamelContext context = new DefaultCamelContext();
        context.getShutdownStrategy().setTimeout(10);
        FencedLeaseComponent component = new FencedLeaseComponent();
        component.getConfiguration().setBackend("jdbc");
        component.getConfiguration().setDataSource(pool);
        component.setTtl(2000);
        component.setAttemptLimit(600);
        component.setLockDelay(1200);
        context.addComponent("fencedlease", component);
        String lease = "race-" + UUID.randomUUID();
        try {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    way.from(this, lease, ConsulNode.TIMER).to("mock:next?retainLast=1");
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return context;
    }
}
