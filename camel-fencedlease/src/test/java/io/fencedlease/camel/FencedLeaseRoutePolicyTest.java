package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a policy lets routes run only under a tenure, and leaves to users what is theirs. Method: real contexts on H2. */
class FencedLeaseRoutePolicyTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode a = new LeasedNode(database, "a");
    private final List<Object> tokens = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        a.close();
        database.close();
    }

    private RouteBuilder routes() {
        FencedLeaseRoutePolicy policy = new FencedLeaseRoutePolicy("P");
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:t?period=50&delay=0")
                        .routeId("ticking")
                        .routePolicy(policy)
                        .process(e -> tokens.add(e.getMessage().getHeader(FencingHeaders.TOKEN)));
                from("direct:second").routeId("second").routePolicy(policy).process(e -> {});
                from("direct:manual")
                        .routeId("manual")
                        .autoStartup(false)
                        .routePolicy(policy)
                        .process(e -> {});
                from("direct:free").routeId("free").process(e -> {});
            }
        };
    }

    private static ServiceStatus status(LeasedNode node, String route) {
        return node.context.getRouteController().getRouteStatus(route);
    }

    @Test
    void routesRunUnderATenureAndAreStamped() throws Exception {
        a.routes(routes()).start();
        assertThat(status(a, "free")).isEqualTo(ServiceStatus.Started);
        eventually().until(() -> tokens.size() > 2);
        assertThat(tokens)
                .containsOnly(a.report().tenure().orElseThrow().token().value());
        eventually().until(() -> status(a, "second") == ServiceStatus.Started);
        assertThat(status(a, "manual")).isEqualTo(ServiceStatus.Stopped);
    }

    @Test
    void aLostTenureStopsThemAndTheNextOneStartsThemAgain() throws Exception {
        a.routes(routes()).start();
        eventually().until(() -> !tokens.isEmpty());
        long first = (Long) tokens.get(0);
        database.destroySessions();
        eventually().until(() -> tokens.stream().anyMatch(t -> (Long) t > first));
        eventually().until(() -> status(a, "second") == ServiceStatus.Started);
    }

    // T08: CAMEL-13666
    @Test
    void onAStandbyTheyDoNotRunAndAnExchangeIsRefused() throws Exception {
        a.routes(routes()).start();
        eventually().until(() -> !tokens.isEmpty());
        try (LeasedNode b = new LeasedNode(database, "b").routes(routes()).start()) {
            eventually().until(() -> b.report().holder().isPresent());
            assertThat(status(b, "ticking")).isEqualTo(ServiceStatus.Stopped);
            assertThat(status(b, "free")).isEqualTo(ServiceStatus.Started);
            Exchange refused = b.context.createProducerTemplate().request("direct:second?block=false", e -> {});
            assertThat(refused.getException()).isNotNull();
        }
    }

    // T08: CAMEL-13666
    @Test
    void aRouteAddedToAHolderStartsAndOneAddedToAStandbyDoesNot() throws Exception {
        FencedLeaseRoutePolicy late = new FencedLeaseRoutePolicy("P");
        a.routes(routes()).start();
        eventually().until(a::holds);
        a.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:late").routeId("late").routePolicy(late).process(e -> {});
            }
        });
        eventually().until(() -> status(a, "late") == ServiceStatus.Started);
        Exchange exchange = a.context.createProducerTemplate().request("direct:late", e -> {});
        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getMessage().getHeader(FencingHeaders.LEASE)).isEqualTo("P");
    }

    @Test
    void aUsersStopIsNotUndoneByTheNextTenureAndAUsersStartIsHonoured() throws Exception {
        a.routes(routes()).start();
        eventually().until(() -> status(a, "second") == ServiceStatus.Started);
        a.context.getRouteController().stopRoute("ticking");
        long token = a.report().tenure().orElseThrow().token().value();
        database.destroySessions();
        eventually()
                .until(() ->
                        a.holds() && a.report().tenure().orElseThrow().token().value() > token);
        eventually().until(() -> status(a, "second") == ServiceStatus.Started);
        assertThat(status(a, "ticking")).isEqualTo(ServiceStatus.Stopped);
        int before = tokens.size();
        a.context.getRouteController().startRoute("ticking");
        eventually().until(() -> tokens.size() > before + 1);
        assertThat(tokens.get(tokens.size() - 1))
                .isEqualTo(a.report().tenure().orElseThrow().token().value());
    }

    @Test
    void anExchangeIsRefusedBeforeTheFirstStepAlsoWithADeadLetterChannel() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        try (LeasedNode holder =
                new LeasedNode(database, "holder").routes(routes()).start()) {
            eventually().until(holder::holds);
            a.routes(new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("direct:dead").process(e -> ran.add("dead"));
                            from("direct:in")
                                    .routeId("in")
                                    .errorHandler(deadLetterChannel("direct:dead"))
                                    .routePolicy(new FencedLeaseRoutePolicy("P"))
                                    .process(e -> ran.add("step"));
                        }
                    })
                    .start();
            eventually().until(() -> a.report().holder().isPresent());
            // as if it still ran: the consumer alone, past the controller
            a.context.getRoute("in").getConsumer().start();
            Exchange refused = a.context.createProducerTemplate().request("direct:in", e -> {});
            assertThat(refused.getException()).isInstanceOf(NoTenureException.class);
            assertThat(ran).isEmpty();
        }
    }

    @Test
    void afterItsLastRouteIsGoneTheLeaseIsGivenBack() throws Exception {
        FencedLeaseRoutePolicyFactory factory = new FencedLeaseRoutePolicyFactory();
        factory.setLeaseName("P");
        factory.setRouteIdPattern("leased-*");
        a.context.addRoutePolicyFactory(factory);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("timer:t?period=50&delay=0")
                                .routeId("leased-1")
                                .process(e -> tokens.add(e.getMessage().getHeader(FencingHeaders.TOKEN)));
                    }
                })
                .start();
        eventually().until(() -> !tokens.isEmpty());
        assertThat(tokens.get(0)).isNotNull();
        a.context.getRouteController().stopRoute("leased-1");
        assertThat(a.context.removeRoute("leased-1")).isTrue();
        assertThat(a.holds()).isTrue();
        eventually().until(() -> !a.holds());
    }

    @Test
    void aRouteWhosePolicyIsStoppedRefusesInsteadOfRunningUnstamped() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        FencedLeaseRoutePolicy policy = new FencedLeaseRoutePolicy("P");
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("direct:in").routeId("in").routePolicy(policy).process(e -> ran.add("step"));
                        from("fencedlease:other:direct:other").to("direct:in");
                    }
                })
                .start();
        eventually().until(() -> status(a, "in") == ServiceStatus.Started);
        policy.stop();
        for (String from : List.of("direct:in", "direct:other")) {
            eventually().untilAsserted(() -> assertThat(a.context
                            .createProducerTemplate()
                            .request(from, e -> {})
                            .getException(NoTenureException.class))
                    .as(from)
                    .isNotNull());
        }
        assertThat(ran).isEmpty();
    }

    @Test
    void aUserWhoStopsAndStartsInHasteHasARunningRouteAtTheEnd() throws Exception {
        a.routes(routes()).start();
        eventually().until(() -> status(a, "second") == ServiceStatus.Started);
        for (int i = 0; i < 10; i++) {
            a.context.getRouteController().stopRoute("second");
            a.context.getRouteController().startRoute("second");
        }
        eventually().untilAsserted(() -> assertThat(a.context
                        .createProducerTemplate()
                        .request("direct:second", e -> {})
                        .getException())
                .isNull());
        assertThat(status(a, "second")).isEqualTo(ServiceStatus.Started);
    }

    @Test
    void everyTenureRaisesTheFencesOfItsRoutesBeforeTheirFirstExchange() throws Exception {
        database.jdbc().execute("create table t(id int)");
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("direct:write")
                                .routeId("writing")
                                .routePolicy(new FencedLeaseRoutePolicy("P"))
                                .to("fencedlease:P:sql:insert into t values (1)?dataSource=#db");
                    }
                })
                .start();
        eventually().until(() -> status(a, "writing") == ServiceStatus.Started);
        for (int tenure = 0; tenure < 3; tenure++) {
            long token = a.report().tenure().orElseThrow().token().value();
            assertThat(mark()).isEqualTo(token);
            database.destroySessions();
            eventually()
                    .until(() -> a.holds()
                            && a.report().tenure().orElseThrow().token().value() > token
                            && status(a, "writing") == ServiceStatus.Started);
        }
    }

    private long mark() {
        return database.jdbc().queryForObject("select token from fencedlease_fence where lease = 'P'", Long.class);
    }
}
