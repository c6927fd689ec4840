package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a leased consumer runs on one node, stamped; told, drained and handed over. Method: real contexts on H2. */
class FencedLeaseConsumerTest {

    private final LeaseDatabase database = new LeaseDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void runsOnlyWhereTheLeaseIsHeldAndIsStamped() throws Exception {
        List<Map<String, Object>> seen = new CopyOnWriteArrayList<>();
        try (LeasedNode a =
                new LeasedNode(database, "a").routes(collecting(seen)).start()) {
            eventually().until(() -> seen.size() > 2);
            long token = a.report().tenure().orElseThrow().token().value();
            assertThat(seen).allSatisfy(headers -> assertThat(headers)
                    .containsEntry(FencingHeaders.TOKEN, token)
                    .containsEntry(FencingHeaders.LEASE, "L")
                    .containsKey(FencingHeaders.NONCE));
            List<Map<String, Object>> seenByB = new CopyOnWriteArrayList<>();
            try (LeasedNode b =
                    new LeasedNode(database, "b").routes(collecting(seenByB)).start()) {
                eventually()
                        .until(() -> b.component.reports().size() == 1
                                && b.report().holder().isPresent());
                assertThat(seenByB).isEmpty();
                a.close();
                eventually().until(() -> !seenByB.isEmpty());
                assertThat((Long) seenByB.get(0).get(FencingHeaders.TOKEN)).isGreaterThan(token);
            }
        }
    }

    @Test
    void regainsWithAHigherTokenAfterItsSessionWasDestroyed() throws Exception {
        List<Map<String, Object>> seen = new CopyOnWriteArrayList<>();
        try (LeasedNode a =
                new LeasedNode(database, "a").routes(collecting(seen)).start()) {
            eventually().until(() -> !seen.isEmpty());
            long first = (Long) seen.get(0).get(FencingHeaders.TOKEN);
            database.destroySessions();
            eventually().until(() -> seen.stream().anyMatch(h -> (Long) h.get(FencingHeaders.TOKEN) > first));
        }
    }

    // T93: CAMEL-23496
    @Test
    void aForgedTokenIsOverwrittenAtEntryAndAnOverwrittenOneIsRestoredBeforeTheNextStep() throws Exception {
        Map<String, Object> tokens = new ConcurrentHashMap<>();
        try (LeasedNode a = new LeasedNode(database, "a")
                .routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:in")
                                .process(e -> tokens.put("entry", e.getMessage().getHeader(FencingHeaders.TOKEN)))
                                .process(e -> e.getMessage().setHeader(FencingHeaders.TOKEN, 999_999L))
                                .process(e -> tokens.put("next", e.getMessage().getHeader(FencingHeaders.TOKEN)))
                                .removeHeaders("*")
                                .to("direct:hop");
                        from("direct:hop")
                                .process(e -> tokens.put("hop", e.getMessage().getHeader(FencingHeaders.TOKEN)));
                    }
                })
                .start()) {
            eventually().until(a::holds);
            long own = a.report().tenure().orElseThrow().token().value();
            eventually().untilAsserted(() -> {
                a.context.createProducerTemplate().sendBodyAndHeader("direct:in", "x", FencingHeaders.TOKEN, 123_456L);
                assertThat(tokens)
                        .containsEntry("entry", own)
                        .containsEntry("next", own)
                        .containsEntry("hop", own);
            });
        }
    }

    @Test
    void aPlannedStopDrainsBeforeTheNextNodeStarts() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> journal = new CopyOnWriteArrayList<>();
        LeasedNode a = new LeasedNode(database, "a")
                .routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?repeatCount=1&delay=0").to("seda:later");
                        from("seda:later")
                                .process(e -> {
                                    inFlight.countDown();
                                    go.await(30, TimeUnit.SECONDS);
                                })
                                .process(e -> journal.add("a done"));
                    }
                })
                .start();
        assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
        try (LeasedNode b = new LeasedNode(database, "b")
                .routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?repeatCount=1&delay=0").process(e -> journal.add("b runs"));
                    }
                })
                .start()) {
            Thread stopping = new Thread(a::close, "stopping-a");
            stopping.start();
            eventually().until(() -> a.context.isStopping());
            assertThat(journal).isEmpty();
            go.countDown();
            eventually().until(() -> journal.size() == 2);
            assertThat(journal).containsExactly("a done", "b runs");
            stopping.join(20_000);
            assertThat(stopping.isAlive()).isFalse();
        }
    }

    private static RouteBuilder collecting(List<Map<String, Object>> seen) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:t?period=50&delay=0")
                        .routeId("leased")
                        .process((Exchange e) -> seen.add(Map.copyOf(fencing(e))));
            }
        };
    }

    private static Map<String, Object> fencing(Exchange exchange) {
        return Map.of(
                FencingHeaders.TOKEN, exchange.getMessage().getHeader(FencingHeaders.TOKEN),
                FencingHeaders.LEASE, exchange.getMessage().getHeader(FencingHeaders.LEASE),
                FencingHeaders.NONCE, exchange.getMessage().getHeader(FencingHeaders.NONCE));
    }
}
