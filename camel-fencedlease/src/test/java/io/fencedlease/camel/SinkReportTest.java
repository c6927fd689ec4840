package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.camel.report.ReportedSink;
import io.fencedlease.camel.report.SinkClass;
import io.fencedlease.lease.LeaseName;
import java.io.File;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.Route;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.seda.SedaComponent;
import org.apache.camel.model.InterceptSendToEndpointDefinition;
import org.apache.camel.saga.InMemorySagaService;
import org.apache.camel.spi.TransactedPolicy;
import org.apache.camel.support.processor.idempotent.FileIdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the report has every sink that a leased route reaches, in its class. Method: one context with one leased route for
 * each way to get there; the sink is a folder with the route's name.
 */
class SinkReportTest {

    private static final LeaseDatabase DATABASE = new LeaseDatabase();
    private static final LeasedNode NODE = new LeasedNode(DATABASE, "a");
    private static final ExecutorService POOL = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void start() throws Exception {
        NODE.context.addComponent("disruptor", new SedaComponent());
        NODE.context.addComponent("direct-vm", new SedaComponent());
        NODE.context.getPropertiesComponent().addInitialProperty("folder", "file:target/sinks/placeholder");
        NODE.context.getRegistry().bind("referred", NODE.context.getEndpoint("file:target/sinks/ref"));
        NODE.context.getRegistry().bind("code", (Processor) exchange -> {});
        NODE.context
                .getRegistry()
                .bind("keys", FileIdempotentRepository.fileIdempotentRepository(new File("target/sinks.keys")));
        NODE.context.getRegistry().bind("db2", DATABASE.dataSource());
        NODE.context.addService(new InMemorySagaService());
        NODE.context.getRegistry().bind("pool", POOL);
        NODE.context.getRegistry().bind("tx", new AnyTransaction());
        NODE.routes(new Eips()).routes(new Handlers()).routes(new Classes()).start();
    }

    @AfterAll
    static void stop() {
        NODE.close();
        POOL.shutdownNow();
        DATABASE.close();
    }

    private static final class AnyTransaction implements TransactedPolicy {
        @Override
        public void beforeWrap(Route route, NamedNode definition) {}

        @Override
        public Processor wrap(Route route, Processor processor) {
            return processor;
        }
    }

    private static String sink(String route) {
        return "file:target/sinks/" + route;
    }

    private static class Leased extends RouteBuilder {
        org.apache.camel.model.RouteDefinition leased(String id) {
            return from("fencedlease:L:direct:" + id).routeId(id);
        }

        void hop(String uri, String to) {
            from(uri).routeId("hop-" + to).to(sink(to)).id("write-" + to);
        }

        @Override
        public void configure() {}
    }

    private static final class Eips extends Leased {
        @Override
        public void configure() {
            leased("to").to(sink("to"));
            leased("direct").to("direct:direct-2");
            hop("direct:direct-2", "direct");
            leased("seda").to("seda:seda-2?size=5");
            hop("seda:seda-2", "seda");
            leased("disruptor").to("disruptor:disruptor-2");
            hop("disruptor:disruptor-2", "disruptor");
            leased("direct-vm").to("direct-vm:direct-vm-2");
            hop("direct-vm:direct-vm-2", "direct-vm");
            leased("placeholder").to("{{folder}}");
            leased("ref").to("ref:referred");
            leased("toD").toD(sink("toD") + "?fileName=${header.name}");
            leased("toD-static").toD("direct:toD-2");
            hop("direct:toD-2", "toD-static");
            leased("wireTap").wireTap(sink("wireTap"));
            leased("wireTap-hop").wireTap("direct:tap-2").dynamicUri(false);
            hop("direct:tap-2", "wireTap-hop");
            leased("multicast").multicast().to("log:x", sink("multicast"));
            leased("recipientList").recipientList(constant("log:x;" + sink("recipientList")), ";");
            leased("routingSlip").routingSlip(constant("log:x;" + sink("routingSlip")), ";");
            leased("dynamicRouter").dynamicRouter(constant(sink("dynamicRouter")));
            leased("enrich").enrich(sink("enrich"));
            leased("pollEnrich").pollEnrich(sink("pollEnrich"), 1);
            leased("poll").poll(sink("poll"), 1);
            leased("choice").choice().when(body()).to("log:x").otherwise().to(sink("choice"));
            leased("loadBalance").loadBalance().roundRobin().to("log:x", sink("loadBalance"));
            leased("split").split(body()).to(sink("split"));
            leased("aggregate")
                    .aggregate(constant(1), TenureAggregation.of((a, b) -> b))
                    .completionSize(2)
                    .to(sink("aggregate"));
            leased("filter").filter(body()).loop(2).to(sink("filter"));
        }
    }

    private static final class Handlers extends Leased {
        @Override
        public void configure() {
            errorHandler(deadLetterChannel("direct:dead"));
            onException(IllegalStateException.class).to(sink("onException-all"));
            interceptFrom().to(sink("interceptFrom"));
            intercept().to(sink("intercept"));
            InterceptSendToEndpointDefinition sent = interceptSendToEndpoint("mock:x");
            sent.to(sink("interceptSend"));
            sent.setAfterUri(sink("afterSend"));
            hop("direct:dead", "deadLetter");
            leased("handled").to("mock:x");
            leased("onException")
                    .onException(Exception.class)
                    .to(sink("onException"))
                    .end()
                    .to("log:x");
            leased("doCatch")
                    .doTry()
                    .to("log:x")
                    .doCatch(Exception.class)
                    .to(sink("doCatch"))
                    .doFinally()
                    .to("log:y");
            leased("doFinally").doTry().to("log:x").doFinally().to(sink("doFinally"));
            leased("onCompletion").onCompletion().to(sink("onCompletion")).end().to("log:x");
            leased("saga")
                    .saga()
                    .compensation("direct:undo")
                    .completion("direct:settled")
                    .to("log:x");
            hop("direct:undo", "saga");
            hop("direct:settled", "settled");
            leased("own-dead-letter")
                    .errorHandler(deadLetterChannel(sink("own-dead-letter")))
                    .to("log:x");
            leased("disabled").to(sink("disabled")).disabled();
        }
    }

    private static final class Classes extends Leased {
        @Override
        public void configure() {
            leased("fenced").to("fencedlease:L:sql:DELETE FROM t?dataSource=#db");
            leased("row")
                    .to("fencedlease:L:sql:UPDATE t SET token=:#FencingToken WHERE id=1"
                            + " AND token <= :#FencingToken?dataSource=#db&fence.mode=row");
            leased("plain-row")
                    .to("sql:UPDATE t SET token=:#FencingToken WHERE id=1 AND token <= :#FencingToken?dataSource=#db")
                    .process(FencedWrites.requireRowUpdated());
            leased("plain-sql").to("sql:UPDATE t SET token=:#FencingToken WHERE id=1?dataSource=#db");
            leased("risk").to("fencedlease:L:" + sink("risk") + "?fence.acceptRisk=nobody reads it before noon");
            leased("risk-hop").to("fencedlease:L:direct:risk-2?fence.acceptRisk=they look twice");
            hop("direct:risk-2", "risk-hop");
            leased("log").to("log:x");
            leased("processor").process("code");
            leased("lambda").process(e -> {});
            leased("bean").bean("code", "process");
            leased("bean-endpoint").to("bean:code");
            leased("script").script(simple("${body}"));
            leased("anywhere").toD("${header.where}");
            leased("any-direct").toD("direct:${header.where}");
            leased("any-list").recipientList(header("where"));
            leased("any-slip").routingSlip(simple("file:target/${header.where}"));
            leased("any-enrich").enrich().simple("${header.where}");
            leased("fenced-toD").toD("fencedlease:L:sql:DELETE FROM t WHERE ${header.what}?dataSource=#db");
            leased("nobody").to("seda:nobody");
            leased("browse").to("browse:x").to("browse:nobody");
            hop("browse:x", "browse");
            leased("stub").to("stub:x");
            hop("stub:x", "stub");
            leased("control").to("controlbus:route?routeId=x&action=status");
            routeTemplate("late").templateParameter("u").from("kamelet:source").to("{{u}}");
            leased("kamelet-now").to("kamelet:late?u=log:x");
            leased("kamelet-late").enrich("kamelet:late?u=" + sink("kamelet-late"));
            leased("kept")
                    .idempotentConsumer(body(), new MemoryIdempotentRepository())
                    .to("log:x");
            leased("other-lease").to("fencedlease:M:sql:DELETE FROM t?dataSource=#db");
            leased("guarded")
                    .transacted("tx")
                    .to("sql:DELETE FROM before?dataSource=#db")
                    .to("fencedlease:L:guard:db?fence.dataSource=#db")
                    .to("sql:DELETE FROM t?dataSource=#db")
                    .to("jdbc:db")
                    .to("sql:DELETE FROM t?dataSource=#db2")
                    .filter(body().isNotNull())
                    .to("sql:DELETE FROM filtered?dataSource=#db")
                    .end()
                    .split(body())
                    .to("sql:DELETE FROM parts?dataSource=#db")
                    .end()
                    .split(body())
                    .parallelProcessing()
                    .to("sql:DELETE FROM parallel?dataSource=#db")
                    .end()
                    .recipientList(constant("sql:DELETE FROM listed?dataSource=#db"))
                    .parallelProcessing()
                    .end()
                    .loop(2)
                    .to("sql:DELETE FROM looped?dataSource=#db")
                    .end()
                    .loop(2)
                    .copy()
                    .to("sql:DELETE FROM copied?dataSource=#db")
                    .to("fencedlease:L:guard:db?fence.dataSource=#db")
                    .to("sql:DELETE FROM copies?dataSource=#db")
                    .end()
                    .to("sql-stored:f()?dataSource=#db")
                    .split(body())
                    .executorService("pool")
                    .to("sql:DELETE FROM pooled?dataSource=#db")
                    .end()
                    .split(body())
                    .executorService(POOL)
                    .to("sql:DELETE FROM ownPool?dataSource=#db")
                    .end()
                    .wireTap("sql:DELETE FROM tapped?dataSource=#db")
                    .dynamicUri(false)
                    .threads()
                    .to("sql:DELETE FROM handed?dataSource=#db");
            leased("no-guard")
                    .transacted("tx")
                    .to("fencedlease:L:" + sink("no-guard"))
                    .to("sql:DELETE FROM autowired");
            from("fencedlease:L:file:target/sinks/in7?noop=true&inProgressRepository=#keys")
                    .routeId("file-in-progress")
                    .autoStartup(false)
                    .to("log:x");
            leased("receiving")
                    .transacted("tx")
                    .to("fencedlease:L:guard:db?fence.dataSource=#db&fence.mode=receiver")
                    .to("sql:DELETE FROM heard?dataSource=#db");
            leased("xslt").to("xslt:sinks/nothing.xsl").to("xslt:sinks/nothing.xsl?output=file");
            from("fencedlease:L:file:target/sinks/in").routeId("file-in").to("log:x");
            from("fencedlease:L:file:target/sinks/in2?noop=true&delete=false")
                    .routeId("file-noop")
                    .to("log:x");
            from("fencedlease:L:file:target/sinks/in3?noop=true&idempotentRepository=#keys")
                    .routeId("file-keeps")
                    .autoStartup(false)
                    .to("log:x");
            leased("poll-keeps").pollEnrich("file:target/sinks/in4?noop=true&idempotentRepository=#bean:keys", 1);
            from("fencedlease:L:sql:SELECT 1?dataSource=#db&onConsumeFailed=DELETE FROM t")
                    .routeId("sql-in")
                    .autoStartup(false)
                    .to("log:x");
            from("fencedlease:L:sql:DELETE FROM t RETURNING id?dataSource=#db")
                    .routeId("sql-returning")
                    .autoStartup(false)
                    .to("log:x");
            leased("sql-poll").pollEnrich("sql:DELETE FROM t RETURNING id?dataSource=#db", 1);
            from("fencedlease:L:file:target/sinks/in5?noop=true&moveFailed=failed")
                    .routeId("file-failed")
                    .to("log:x");
            from("fencedlease:L:file:target/sinks/in6?noop=true&preMove=taken")
                    .routeId("file-before")
                    .to("log:x");
            leased("handler")
                    .errorHandler(defaultErrorHandler().onRedeliveryRef("code").onPrepareFailure(e -> {}))
                    .to("log:x");
            from("timer:policy")
                    .routeId("policy")
                    .routePolicy(new FencedLeaseRoutePolicy("L"))
                    .to(sink("policy"));
            from("direct:unleased").routeId("unleased").to(sink("unleased"));
        }
    }

    private static List<ReportedSink> sinks(String route) {
        return NODE.component.sinkReport().of(new LeaseName("L")).orElseThrow().sinks().stream()
                .filter(sink -> sink.route().equals(route))
                .toList();
    }

    private static List<String> open(String route) {
        return sinks(route).stream()
                .filter(sink -> sink.kind().isOpen())
                .map(ReportedSink::what)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "to",
                "direct",
                "seda",
                "disruptor",
                "direct-vm",
                "placeholder",
                "ref",
                "toD",
                "toD-static",
                "wireTap",
                "wireTap-hop",
                "multicast",
                "recipientList",
                "routingSlip",
                "dynamicRouter",
                "enrich",
                "pollEnrich",
                "poll",
                "choice",
                "loadBalance",
                "split",
                "aggregate",
                "filter",
                "policy",
                "risk-hop"
            })
    void aSinkIsFoundBehindEachWayToIt(String route) {
        assertThat(open(route))
                .singleElement()
                .asString()
                .matches("(poll of )?file:(//)?target/sinks/" + route + "(\\?fileName=.*)?");
    }

    @ParameterizedTest
    @CsvSource({
        "handled, deadLetter",
        "handled, onException-all",
        "handled, interceptFrom",
        "handled, intercept",
        "handled, interceptSend",
        "handled, afterSend",
        "onException, onException",
        "doCatch, doCatch",
        "doFinally, doFinally",
        "onCompletion, onCompletion",
        "saga, saga",
        "saga, settled",
        "own-dead-letter, own-dead-letter"
    })
    void whatRunsAsideOfARouteIsFollowedToo(String route, String sink) {
        assertThat(open(route)).contains("file:target/sinks/" + sink);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fenced | FENCED | fencedlease:L:sql:DELETE FROM t?dataSource=#db |",
                "fenced-toD | UNKNOWN | fencedlease:L:sql:DELETE FROM t WHERE ${header.what}?dataSource=#db | write it down",
                "row | ROW_TOKEN | fencedlease:L:sql:UPDATE t SET | fence.mode=row",
                "plain-row | UNFENCED | sql:UPDATE t SET | put fencedlease:LEASE: in front",
                "plain-sql | UNFENCED | sql:UPDATE t SET | put fencedlease:LEASE: in front",
                "risk | ACCEPTED_RISK | file:target/sinks/risk | nobody reads it before noon",
                "log | INTERNAL | log:x |",
                "processor | OPAQUE | processor code | look yourself",
                "lambda | OPAQUE | processor io.fencedlease |",
                "bean | OPAQUE | bean code |",
                "bean-endpoint | OPAQUE | bean:code |",
                "script | OPAQUE | script simple |",
                "anywhere | UNKNOWN | ${header.where} | constant scheme",
                "any-direct | UNKNOWN | direct:${header.where} | one by one",
                "any-list | UNKNOWN | where |",
                "any-slip | UNKNOWN | file:target/${header.where} |",
                "any-enrich | UNKNOWN | ${header.where} |",
                "nobody | UNKNOWN | seda:nobody | no route of this context",
                "browse | UNFENCED | file:target/sinks/browse |",
                "browse | INTERNAL | browse:nobody |",
                "stub | UNFENCED | file:target/sinks/stub |",
                "control | OPAQUE | controlbus:route | starts and stops",
                "kamelet-now | INTERNAL | log:x |",
                "kamelet-late | UNKNOWN | kamelet:late | no route of this context",
                "kept | INTERNAL | MemoryIdempotentRepository | forgotten",
                "other-lease | FENCED | fencedlease:M:sql | lease 'M'",
                "guarded | FENCED | fencedlease:L:guard:db |",
                "guarded | FENCED | sql:DELETE FROM t?dataSource=#db | by the guard in its transaction",
                "guarded | UNFENCED | sql:DELETE FROM before | ",
                "guarded | UNFENCED | jdbc:db | in front",
                "guarded | FENCED | sql:DELETE FROM filtered | by the guard in its transaction",
                "guarded | FENCED | sql:DELETE FROM parts | by the guard in its transaction",
                "guarded | UNFENCED | sql:DELETE FROM parallel |",
                "guarded | UNFENCED | sql:DELETE FROM listed |",
                "guarded | FENCED | sql:DELETE FROM looped |",
                "guarded | UNFENCED | sql:DELETE FROM copied |",
                "guarded | UNFENCED | sql:DELETE FROM copies |",
                "guarded | UNFENCED | sql-stored:f() |",
                "guarded | UNFENCED | sql:DELETE FROM pooled |",
                "guarded | UNFENCED | sql:DELETE FROM ownPool |",
                "guarded | UNFENCED | sql:DELETE FROM tapped |",
                "no-guard | UNFENCED | sql:DELETE FROM autowired |",
                "file-in-progress | UNFENCED | FileIdempotentRepository | not fenced",
                "guarded | UNFENCED | sql:DELETE FROM handed |",
                "receiving | INTERNAL | fencedlease:L:guard:db | what it has heard",
                "receiving | UNFENCED | sql:DELETE FROM heard |",
                "xslt | INTERNAL | xslt:sinks/nothing.xsl |",
                "xslt | UNFENCED | xslt:sinks/nothing.xsl | to a file",
                "guarded | UNFENCED | sql:DELETE FROM t?dataSource=#db2 |",
                "file-in | AFTER_EFFECT | file:target/sinks/in | moves or deletes",
                "file-keeps | UNFENCED | FileIdempotentRepository | not fenced",
                "poll-keeps | UNFENCED | FileIdempotentRepository | not fenced",
                "sql-in | AFTER_EFFECT | sql:SELECT 1 | onConsume",
                "sql-returning | OPAQUE | sql:DELETE FROM t RETURNING id | may write too",
                "sql-poll | OPAQUE | poll of sql:DELETE FROM t RETURNING id | may write too",
                "file-failed | AFTER_EFFECT | file:target/sinks/in5 | moves or deletes",
                "file-before | AFTER_EFFECT | file:target/sinks/in6 | moves or deletes",
                "handler | OPAQUE | processor code |",
                "handler | OPAQUE | processor io.fencedlease |",
            })
    void eachIsInItsClass(String route, SinkClass kind, String what, String note) {
        assertThat(sinks(route)).anySatisfy(sink -> {
            assertThat(sink.kind()).isEqualTo(kind);
            assertThat(sink.what()).contains(what);
            assertThat(sink.note()).contains(note == null ? "" : note);
        });
    }

    @Test
    void whatIsNotReachedIsNotThere() {
        assertThat(sinks("unleased")).isEmpty();
        assertThat(open("disabled")).doesNotContain("file:target/sinks/disabled");
        assertThat(sinks("plain-row")).hasSize(1);
        assertThat(sinks("file-noop")).extracting(ReportedSink::kind).containsExactly(SinkClass.INTERNAL);
    }

    @Test
    void aSinkIsShownWithTheWayToIt() {
        assertThat(sinks("direct"))
                .singleElement()
                .hasToString("UNFENCED file:target/sinks/direct"
                        + " (direct > hop-direct/write-direct): put fencedlease:LEASE: in front");
    }

    @Test
    void anAcceptedRiskStandsBesideTheTimeThatAnOldHolderGoesOn() {
        LeaseSinks sinks = NODE.component.sinkReport().of(new LeaseName("L")).orElseThrow();
        assertThat(sinks.text().lines().filter(line -> line.contains("nobody reads it before noon")))
                .singleElement()
                .asString()
                .contains("accepted risk", "at most 200 ms")
                .containsPattern("measured: (not yet|\\d+ ms at worst)");
    }
}
