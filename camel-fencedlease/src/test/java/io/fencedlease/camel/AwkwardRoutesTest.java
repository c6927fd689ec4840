package io.fencedlease.camel;

import static org.apache.camel.builder.Builder.body;
import static org.apache.camel.builder.Builder.constant;
import static org.apache.camel.builder.Builder.method;
import static org.apache.camel.builder.Builder.simple;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.camel.report.SinkReports;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.camel.Endpoint;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.builder.RouteConfigurationBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: of what people write, each producer is in the report once, and none is called safer than it is. Method: models as Camel
 * has prepared them; nothing is started.
 */
class AwkwardRoutesTest {

    private static final LeaseName L = new LeaseName("L");
    private static final String GUARD = "fencedlease:L:guard:db?fence.dataSource=#db";
    private static final String GUARDED = "fenced " + GUARD;

    private final DefaultCamelContext context = new DefaultCamelContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    private interface Steps {
        void on(RouteDefinition route);
    }

    private interface Routes {
        void on(RouteBuilder builder);
    }

    private void also(Routes routes) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                routes.on(this);
            }
        });
    }

    private static String sql(String table) {
        return "sql:DELETE FROM " + table + "?dataSource=#db";
    }

    /** Class and text of everything that the route reaches, but for what is internal. */
    private List<String> sinks(Steps steps) throws Exception {
        also(b -> steps.on(b.from("fencedlease:L:direct:in").routeId("r")));
        return report();
    }

    private SinkReports reports() {
        return new SinkReports(context, uri -> FencedLeaseUri.cut(context, uri));
    }

    private List<String> report() {
        return reports()
                .report(Map.of("r", Set.of(L)), lease -> new LeaseSinks.Overlap(Duration.ZERO, Optional.empty()))
                .leases()
                .get(0)
                .sinks()
                .stream()
                .map(sink -> sink.kind() + " " + sink.what())
                .filter(text -> !text.startsWith("internal"))
                .toList();
    }

    @Test
    void aChoiceInASplitInADoTry() throws Exception {
        assertThat(sinks(r -> r.doTry()
                        .split()
                        .body()
                        .choice()
                        .when()
                        .simple("${body} == 1")
                        .to("file:when")
                        .otherwise()
                        .to("fencedlease:L:file:otherwise")
                        .end()
                        .endDoTry()
                        .doCatch(IllegalStateException.class)
                        .to("file:catch")
                        .doFinally()
                        .to("file:finally")
                        .end()
                        .to("file:after")))
                .containsExactlyInAnyOrder(
                        "UNFENCED file:when",
                        "fenced fencedlease:L:file:otherwise",
                        "UNFENCED file:catch",
                        "UNFENCED file:finally",
                        "UNFENCED file:after");
    }

    @Test
    void waysThatAreDisabledAreNone() throws Exception {
        assertThat(sinks(r -> {
                    ChoiceDefinition choice = r.choice()
                            .when(body())
                            .to("file:off")
                            .when(body())
                            .to("file:on")
                            .otherwise()
                            .to("file:otherwise");
                    choice.getWhenClauses().get(0).setDisabled("true");
                    choice.getOtherwise().setDisabled("true");
                }))
                .containsExactly("UNFENCED file:on");
    }

    @Test
    void aRepositoryThatIsNotThereYet() throws Exception {
        assertThat(sinks(r -> r.idempotentConsumer(body())
                        .idempotentRepository("nobody")
                        .to("log:x")))
                .containsExactly("unknown repository nobody");
    }

    @Test
    void toDWithPlaceholdersAndExpressions() throws Exception {
        context.getPropertiesComponent().addInitialProperty("scheme", "file");
        context.getPropertiesComponent().addInitialProperty("mode", "row");
        assertThat(sinks(r -> r.toD("{{scheme}}:out/${header.day}")
                        .toD("language:constant:file:x")
                        .toD("file:a+language:simple:${header.b}")
                        .toD("direct:${header.where}")
                        .toD("fencedlease:${header.lease}:file:out")
                        .toD("fencedlease:L:${header.what}")
                        .toD("fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.mode=${header.mode}")
                        .toD("fencedlease:L:file:out?fence.acceptRisk=${header.why}")
                        .toD("fencedlease:L:sql:DELETE FROM t?dataSource=#db${header.more}")
                        .toD("fencedlease:L:http:h/${header.path}?fence.acceptRisk=they look twice")
                        .toD("fencedlease:L:direct:${header.where}?fence.acceptRisk=they look twice")
                        .toD("xslt:a.xsl?${header.more}")
                        .toD("fencedlease:L:sql:UPDATE t SET n=1?dataSource=#db&fence.mode={{mode}}")
                        .toD("xslt:${header.sheet}")
                        .toD("log:${header.name}")))
                .containsExactlyInAnyOrder(
                        "UNFENCED file:out/${header.day}",
                        "unknown language:constant:file:x",
                        "UNFENCED file:a+language:simple:${header.b}",
                        "unknown direct:${header.where}",
                        "unknown fencedlease:${header.lease}:file:out",
                        "unknown fencedlease:L:${header.what}",
                        "unknown fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.mode=${header.mode}",
                        "unknown fencedlease:L:file:out?fence.acceptRisk=${header.why}",
                        "unknown fencedlease:L:sql:DELETE FROM t?dataSource=#db${header.more}",
                        "accepted risk fencedlease:L:http:h/${header.path}?fence.acceptRisk=they look twice",
                        "unknown fencedlease:L:direct:${header.where}?fence.acceptRisk=they look twice",
                        "UNFENCED xslt:a.xsl?${header.more}",
                        "row token fencedlease:L:sql:UPDATE t SET n=1?dataSource=#db&fence.mode=row",
                        "UNFENCED xslt:${header.sheet}");
    }

    @Test
    void listsThatAreConstantAndListsThatAreNot() throws Exception {
        context.getPropertiesComponent().addInitialProperty("more", "file:c , log:x");
        assertThat(sinks(r -> r.recipientList(constant("file:a, direct:b"))
                        .recipientList(simple("{{more}}"))
                        .recipientList(simple("file:d,${header.e}"))
                        .dynamicRouter(method("router", "next"))))
                .containsExactlyInAnyOrder(
                        "UNFENCED file:a",
                        "unknown direct:b",
                        "UNFENCED file:c",
                        "unknown ${simple: file:d,${header.e}}",
                        "unknown ${bean: }");
    }

    @Test
    void loopsAndCircuitBreakersAndResequencers() throws Exception {
        assertThat(sinks(r -> r.loop(3)
                        .to("file:loop")
                        .end()
                        .circuitBreaker()
                        .to("file:breaker")
                        .onFallback()
                        .to("file:fallback")
                        .end()
                        .resequence(body())
                        .batch()
                        .to("file:resequence")
                        .end()
                        .throttle(1)
                        .delay(1)
                        .to("file:last")))
                .containsExactlyInAnyOrder(
                        "UNFENCED file:loop",
                        "UNFENCED file:breaker",
                        "UNFENCED file:fallback",
                        "UNFENCED file:resequence",
                        "UNFENCED file:last");
    }

    @Test
    void handlersOfTheRouteAndOfAllRoutes() throws Exception {
        also(b -> {
            b.onException(IllegalStateException.class).to("file:all");
            b.onException(IllegalArgumentException.class).handled(true).to("direct:shared");
            b.onCompletion().to("file:completed");
            b.from("fencedlease:L:direct:in")
                    .routeId("r")
                    .onException(FencedOutException.class)
                    .onRedeliveryRef("before")
                    .to("file:own")
                    .end()
                    .to("direct:shared");
        });
        also(b -> b.from("direct:shared").routeId("shared").to("file:shared"));
        assertThat(report())
                .containsExactlyInAnyOrder(
                        "UNFENCED file:all",
                        "UNFENCED file:completed",
                        "UNFENCED file:own",
                        "opaque processor before",
                        "UNFENCED file:shared");
    }

    @Test
    void routeConfigurations() throws Exception {
        context.addRoutes(new RouteConfigurationBuilder() {
            @Override
            public void configuration() {
                routeConfiguration("safe")
                        .errorHandler(deadLetterChannel("file:dead"))
                        .onException(Exception.class)
                        .to("file:configured");
                routeConfiguration("other").onException(Exception.class).to("file:notOurs");
            }
        });
        also(b -> b.from("fencedlease:L:direct:in")
                .routeId("r")
                .routeConfigurationId("safe")
                .to("file:own"));
        assertThat(report())
                .containsExactlyInAnyOrder("UNFENCED file:dead", "UNFENCED file:configured", "UNFENCED file:own");
    }

    @Test
    void routesThatSendToEachOther() throws Exception {
        also(b -> {
            b.from("direct:a").routeId("a").to("direct:b").to("file:a");
            b.from("direct:b").routeId("b").to("direct:a").to("direct:b").to("file:b");
        });
        assertThat(sinks(r -> r.to("direct:a").to("direct:b").to("direct:in")))
                .containsExactlyInAnyOrder("UNFENCED file:a", "UNFENCED file:b");
    }

    @Test
    void whatIsPolledOnTheWay() throws Exception {
        assertThat(sinks(r -> r.pollEnrich("file:in?move=.done", 1)
                        .pollEnrich("file:look?noop=true", 1)
                        .poll("ftp:host/${header.dir}", 1)
                        .poll("ftp:host/fixed", 1)
                        .poll("${header.where}", 1)
                        .enrich("http:host/x")))
                .containsExactlyInAnyOrder(
                        "UNFENCED poll of file:in?move=.done",
                        "UNFENCED poll of ftp:host/${header.dir}",
                        "UNFENCED http:host/x",
                        "unknown poll of ${header.where}");
    }

    @Test
    void restAsAProducerAndAsAnEntrance() throws Exception {
        also(b -> {
            b.restConfiguration().inlineRoutes(false);
            b.rest("/bills").get().to("direct:bills");
            b.from("direct:bills").routeId("bills").to("file:bills");
        });
        assertThat(sinks(r -> r.to("rest:post:bills?host=there").to("direct:bills")))
                .containsExactlyInAnyOrder("UNFENCED rest:post:bills?host=there", "UNFENCED file:bills");
    }

    @Test
    void routesOfAnotherLeaseBehindAHop() throws Exception {
        also(b -> b.from("fencedlease:M:seda:next")
                .routeId("next")
                .to("fencedlease:M:file:m")
                .to("file:plain"));
        assertThat(sinks(r -> r.to("seda:next?size=3")))
                .containsExactlyInAnyOrder("fenced fencedlease:M:file:m", "UNFENCED file:plain");
    }

    @Test
    void aSecondComponentOfOurKind() throws Exception {
        context.addComponent("other", new FencedLeaseComponent());
        assertThat(sinks(r -> r.to("other:L:file:x").to("other:L:direct:y?fence.acceptRisk=they look twice")))
                .containsExactlyInAnyOrder(
                        "fenced other:L:file:x", "accepted risk other:L:direct:y?fence.acceptRisk=they look twice");
    }

    @Test
    void aGuardFencesWhatComesAfterItInItsTransaction() throws Exception {
        assertThat(sinks(r -> r.transacted("tx")
                        .to(sql("before"))
                        .to(GUARD)
                        .to(sql("after"))
                        .choice()
                        .when(body())
                        .to(sql("when"))
                        .end()
                        .transacted("other")
                        .to(sql("nested"))))
                .containsExactlyInAnyOrder(
                        "UNFENCED " + sql("before"),
                        GUARDED,
                        "fenced " + sql("after"),
                        "fenced " + sql("when"),
                        "UNFENCED " + sql("nested"));
    }

    @Test
    void aGuardInOneWayFencesNoOther() throws Exception {
        assertThat(sinks(r -> r.transacted("tx")
                        .choice()
                        .when(body())
                        .to(GUARD)
                        .to(sql("when"))
                        .otherwise()
                        .to(sql("otherwise"))
                        .end()
                        .multicast()
                        .to(GUARD)
                        .to(sql("branch"))
                        .end()
                        .loadBalance()
                        .roundRobin()
                        .to(GUARD)
                        .to(sql("alternative"))
                        .end()
                        .filter(body())
                        .to(GUARD)
                        .end()
                        .to(sql("unfiltered"))))
                .contains("fenced " + sql("when"))
                .contains(
                        "UNFENCED " + sql("otherwise"),
                        "UNFENCED " + sql("branch"),
                        "UNFENCED " + sql("alternative"),
                        "UNFENCED " + sql("unfiltered"));
    }

    @Test
    void aGuardInADoTryFencesNeitherItsCatchNorWhatFollows() throws Exception {
        assertThat(sinks(r -> r.transacted("tx")
                        .doTry()
                        .to("mock:fails")
                        .to(GUARD)
                        .to(sql("tried"))
                        .doCatch(Exception.class)
                        .to(sql("caught"))
                        .doFinally()
                        .to(sql("finally"))
                        .end()
                        .to(sql("following"))))
                .containsExactlyInAnyOrder(
                        GUARDED,
                        "fenced " + sql("tried"),
                        "UNFENCED " + sql("caught"),
                        "UNFENCED " + sql("finally"),
                        "UNFENCED " + sql("following"));
    }

    @Test
    void aGuardFencesNothingOnOtherThreads() throws Exception {
        assertThat(sinks(r -> r.transacted("tx")
                        .to(GUARD)
                        .policy("more")
                        .to(sql("policy"))
                        .end()
                        .aggregate(body(), (a, b) -> b)
                        .completionSize(2)
                        .to(sql("aggregate"))
                        .end()
                        .circuitBreaker()
                        .to(sql("breaker"))
                        .onFallback()
                        .to(sql("fallback"))
                        .end()
                        .onCompletion()
                        .to(sql("completed"))
                        .end()
                        .multicast()
                        .parallelProcessing()
                        .to(sql("parallel"))
                        .end()
                        .wireTap("direct:tap")
                        .to("direct:hop")))
                .filteredOn(text -> text.startsWith("fenced"))
                .containsExactly(GUARDED);
    }

    @Test
    void endpointsAreLookedUpWhereTheUriIsKnown() throws Exception {
        also(b -> b.from("fencedlease:L:direct:in")
                .routeId("r")
                .to("file:known")
                .toD("${header.where}")
                .toD("file:out/${header.day}"));

        assertThat(reports().endpoints(L, "r")).isEmpty();
        Endpoint known = context.getEndpoint("file:known");
        assertThat(reports().endpoints(L, "r")).containsExactly(known);
    }

    @Test
    void aGuardWhoseErrorsAreContinuedFencesNothing() throws Exception {
        assertThat(sinks(r -> r.onException(IllegalStateException.class)
                        .continued(true)
                        .end()
                        .transacted()
                        .to(GUARD)
                        .to(sql("after"))))
                .containsExactlyInAnyOrder(GUARDED, "UNFENCED " + sql("after"));
    }

    /** There, what is beside the steps of a block is not among its outputs. */
    @Test
    void blocksInYaml() throws Exception {
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(ResourceHelper.resolveResource(context, "classpath:dsl/blocks.yaml"));

        assertThat(report())
                .containsExactlyInAnyOrder(
                        "UNFENCED file:try",
                        "UNFENCED file:catch",
                        "UNFENCED file:in-catch",
                        "UNFENCED file:finally",
                        "UNFENCED file:breaker",
                        "UNFENCED file:fallback",
                        "UNFENCED file:when",
                        "UNFENCED file:otherwise",
                        "UNFENCED file:exception",
                        "UNFENCED file:configured");
    }

    @Test
    void anAggregatorInACatchInYamlIsFound() throws Exception {
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(ResourceHelper.resolveResource(context, "classpath:dsl/blocks.yaml"));

        assertThatThrownBy(() -> AggregationRules.check(context, "L", context.getRouteDefinition("aggregating")))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("aggregationStrategy of route aggregating");
    }
}
