package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.file.FileFence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.saga.InMemorySagaService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * Goal: each sink that a route writes down is raised before any route of the tenure starts, the others at their first write.
 * Method: a context with a route for each way to a sink, which is a directory of its own.
 */
class RaisedSinksTest {

    private static final List<String> RAISED = List.of(
            "to",
            "policy",
            "hop",
            "stoppedHop",
            "tap",
            "onException",
            "doCatch",
            "onCompletion",
            "deadLetter",
            "multicast",
            "loadBalance",
            "kamelet",
            "choice",
            "lazy");
    private static final List<String> LATE = List.of("enrich", "list", "slip", "router", "toD", "saga");

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");

    @TempDir
    private Path dir;

    @BeforeEach
    void start() throws Exception {
        node.context.getGlobalEndpointConfiguration().setLazyStartProducer(true);
        node.context.addService(new InMemorySagaService());
        node.routes(new Ways()).start();
        eventually().until(() -> send("nothing", "").getException() == null);
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private final class Ways extends RouteBuilder {
        @Override
        public void configure() {
            routeTemplate("tpl").templateParameter("u").from("kamelet:source").to("{{u}}");
            leased("nothing").process(e -> {});
            leased("to").to(sink("to"));
            from("direct:policy").routePolicy(new FencedLeaseRoutePolicy("L")).to(sink("policy"));
            leased("hop").to("direct:hop-2");
            from("direct:hop-2").to(sink("hop"));
            leased("stoppedHop").to("direct:stoppedHop-2");
            from("direct:stoppedHop-2").autoStartup(false).to(sink("stoppedHop"));
            leased("tap").wireTap(sink("tap")).dynamicUri(false);
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
                    .end();
            leased("onCompletion").onCompletion().to(sink("onCompletion")).end().to("log:x");
            leased("deadLetter")
                    .errorHandler(deadLetterChannel(sink("deadLetter")))
                    .to("log:x");
            leased("multicast").multicast().to("log:x", sink("multicast"));
            leased("loadBalance").loadBalance().roundRobin().to("log:x", sink("loadBalance"));
            leased("kamelet").to("kamelet:tpl?u=RAW(" + sink("kamelet") + ")");
            leased("choice").choice().when(body()).to("log:x").otherwise().to(sink("choice"));
            leased("lazy").to(sink("lazy") + "&lazyStartProducer=true");
            leased("enrich").enrich(sink("enrich"));
            leased("list").recipientList(constant(sink("list")));
            leased("slip").routingSlip(constant(sink("slip")));
            leased("router").dynamicRouter(constant(sink("router")));
            leased("toD").toD(sink("toD"));
            leased("saga").saga().compensation(sink("saga")).to("log:x");
            leased("cached").toD("fencedlease:L:file:" + dir + "/${header.day}?fileName=x");
            leased("uncached").toD("fencedlease:L:file:" + dir + "/${header.day}?fileName=x", 1);
        }

        private RouteDefinition leased(String name) {
            return from("fencedlease:L:direct:" + name).routeId(name);
        }
    }

    private String sink(String name) {
        return "fencedlease:L:file:" + dir + "/" + name + "?fileName=x";
    }

    private Exchange send(String route, String day) {
        return node.context.createProducerTemplate().request("direct:" + route, exchange -> {
            exchange.getMessage().setHeader("day", day);
            exchange.getMessage().setBody("b");
        });
    }

    private boolean isRaised(String sink) {
        return Files.isDirectory(dir.resolve(sink).resolve(FileFence.FOLDER));
    }

    private void loseAndHoldAgain() {
        long before = token();
        database.destroySessions();
        eventually().until(() -> send("nothing", "").getException() == null && token() > before);
    }

    private long token() {
        return node.report().tenure().map(tenure -> tenure.token().value()).orElse(0L);
    }

    @Test
    void whatARouteWritesDownIsRaisedBeforeAnyRouteStarts() {
        assertThat(RAISED).allMatch(this::isRaised);
    }

    @Test
    void whatARouteFindsAsItRunsIsRaisedAtItsFirstWrite() {
        assertThat(LATE).noneMatch(this::isRaised);
        assertThat(send("toD", "").getException()).isNull();
        assertThat(isRaised("toD")).isTrue();
    }

    @Test
    void aDirectoryThatWasFoundAndIsGoneDoesNotKeepTheNextTenureFromStarting() throws Exception {
        assertThat(send("cached", "monday").getException()).isNull();
        FileSystemUtils.deleteRecursively(dir.resolve("monday"));
        loseAndHoldAgain();

        assertThat(send("cached", "tuesday").getException()).isNull();
    }

    @Test
    void fencesOfProducersThatCamelHasPutAwayAreGivenBack() throws Exception {
        FenceRegistry fences = node.component.leasedContext().fences();
        int before = fences.bound();
        for (int day = 0; day < 20; day++) {
            assertThat(send("uncached", "day" + day).getException()).isNull();
        }
        eventually().untilAsserted(() -> assertThat(fences.bound()).isLessThan(before + 5));
    }
}
