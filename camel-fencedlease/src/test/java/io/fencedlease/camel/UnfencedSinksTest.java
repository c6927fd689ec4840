package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.camel.report.ReportedSink;
import io.fencedlease.camel.report.SinkClass;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.apache.camel.util.ObjectHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what nothing fences is refused, warned of or let be, as told, whenever it comes; and the classes can be extended.
 * Method: real contexts on H2, some with a class path of their own.
 */
class UnfencedSinksTest {

    private static final LeaseName L = new LeaseName("L");

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private interface Writing {
        void on(RouteBuilder builder);
    }

    private static RoutesBuilder routes(Writing writing) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                writing.on(this);
            }
        };
    }

    private void add(Writing writing) throws Exception {
        node.context.addRoutes(routes(writing));
    }

    private List<String> open() {
        return node.component.sinkReport().of(L).map(LeaseSinks::open).orElse(List.of()).stream()
                .map(ReportedSink::what)
                .toList();
    }

    // T91: johanhaleby/occurrent#666
    @Test
    void failRefusesTheStartBeforeAnyConsumerAndNamesLeaseRouteSinkAndRemedy() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        node.component.getConfiguration().setUnfencedSinks("fail");
        add(b -> b.from("timer:first?delay=0").startupOrder(1).process(e -> ran.set(true)));
        add(b -> b.from("fencedlease:L:timer:t").routeId("bills").to("direct:pay"));
        add(b -> b.from("direct:pay").routeId("pay").to("http://127.0.0.1:1/pay?authPassword=s3cret"));

        Throwable thrown = catchThrowable(node::start);

        SettingRefusedException refused = ObjectHelper.getException(SettingRefusedException.class, thrown);
        assertThat(refused)
                .hasMessageContainingAll(
                        "lease 'L'", "unfencedSinks=fail", "UNFENCED", "http://127.0.0.1:1/pay", "bills > pay")
                .hasMessageContaining("fence.idempotencyKey=")
                .hasMessageNotContaining("s3cret");
        assertThat(ran).isFalse();
    }

    @Test
    void failRefusesWhatIsDecidedAtRunTimeToo() throws Exception {
        node.component.getConfiguration().setUnfencedSinks("fail");
        add(b -> b.from("fencedlease:L:timer:t").toD("${header.where}"));

        assertThat(ObjectHelper.getException(SettingRefusedException.class, catchThrowable(node::start)))
                .hasMessageContainingAll("unknown", "${header.where}");
    }

    @Test
    void failStartsWhatIsFencedOrAcceptedOrOnlyCode() throws Exception {
        node.component.getConfiguration().setUnfencedSinks("fail");
        add(b -> b.from("fencedlease:L:timer:t")
                .process(e -> {})
                .to("fencedlease:L:file:target/sinks/x?fence.acceptRisk=nobody reads it")
                .to("log:x"));
        node.start();
        eventually().until(node::holds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"warn", "ignore"})
    void warnAndIgnoreStart(String mode) throws Exception {
        node.component.getConfiguration().setUnfencedSinks(mode);
        String sink = "file:target/sinks/" + UUID.randomUUID();
        add(b -> b.from("fencedlease:L:direct:t").to(sink));
        node.start();
        assertThat(open()).containsExactly(sink);
        assertThat(logged(sink)).hasSize(mode.equals("warn") ? 2 : 1);
        assertThat(logged(sink)).filteredOn(line -> line.contains("WARN")).hasSize(mode.equals("warn") ? 1 : 0);
    }

    private static List<String> logged(String sink) throws Exception {
        try (var lines = Files.lines(Path.of(System.getProperty("org.slf4j.simpleLogger.logFile")))) {
            return lines.filter(line -> line.contains(sink + " (") && line.contains("UNFENCED"))
                    .toList();
        }
    }

    @Test
    void anotherWordIsRefused() {
        assertThatThrownBy(() -> node.component.getConfiguration().setUnfencedSinks("maybe"))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("unfencedSinks", "maybe", "fail, warn or ignore");
    }

    @Test
    void failRefusesARouteThatIsAddedLaterAndOnlyThat() throws Exception {
        node.component.getConfiguration().setUnfencedSinks("fail");
        add(b -> b.from("fencedlease:L:direct:good").routeId("good").to("log:x"));
        node.start();
        eventually().until(node::holds);

        assertThat(ObjectHelper.getException(
                        SettingRefusedException.class,
                        catchThrowable(() -> add(b -> b.from("fencedlease:L:direct:bad")
                                .routeId("bad")
                                .to("file:target/sinks/bad")))))
                .hasMessageContaining("file:target/sinks/bad");
        assertThatThrownBy(() -> node.context.getRouteController().startRoute("bad"))
                .hasStackTraceContaining("file:target/sinks/bad");
        node.context.getRouteController().stopRoute("good");
        node.context.getRouteController().startRoute("good");
        assertThat(node.context.getRouteController().getRouteStatus("good").isStarted())
                .isTrue();
    }

    @Test
    void theReportFollowsRoutesThatComeAndGo() throws Exception {
        add(b -> b.from("fencedlease:L:direct:in").routeId("in").to("seda:later"));
        node.start();
        assertThat(open()).containsExactly("seda:later");
        add(b -> b.from("seda:later").routeId("later").to("file:target/sinks/later"));
        assertThat(open()).containsExactly("file:target/sinks/later");
        add(b -> b.from("fencedlease:M:direct:m").routeId("m").to("log:m"));
        assertThat(node.component.sinkReport().leases())
                .extracting(LeaseSinks::lease)
                .containsExactlyInAnyOrder(L, new LeaseName("M"));
        node.context.getRouteController().stopRoute("in");
        node.context.removeRoute("in");
        assertThat(node.component.sinkReport().of(L)).isEmpty();
    }

    @Test
    void routesOfTemplatesAreReadWithTheirParameters() throws Exception {
        add(b -> b.routeTemplate("publish")
                .templateParameter("to")
                .from("fencedlease:L:direct:{{to}}")
                .to("file:target/sinks/{{to}}"));
        TemplatedRouteBuilder.builder(node.context, "publish")
                .routeId("one")
                .parameter("to", "template-one")
                .add();
        TemplatedRouteBuilder.builder(node.context, "publish")
                .routeId("two")
                .parameter("to", "template-two")
                .add();
        node.start();
        assertThat(open())
                .containsExactlyInAnyOrder("file:target/sinks/template-one", "file:target/sinks/template-two");
    }

    @Test
    void kameletsAreFollowed() throws Exception {
        add(b -> b.routeTemplate("store")
                .templateParameter("to")
                .from("kamelet:source")
                .to("file:target/sinks/{{to}}"));
        add(b -> b.routeTemplate("step")
                .from("kamelet:source")
                .to("file:target/sinks/step")
                .to("kamelet:sink"));
        add(b -> b.from("fencedlease:L:direct:a").routeId("a").to("kamelet:store?to=mine"));
        add(b -> b.from("fencedlease:L:direct:b").routeId("b").kamelet("step").to("file:target/sinks/after"));
        add(b -> b.from("direct:other").to("kamelet:store?to=others"));
        add(b -> b.routeTemplate("ticks")
                .from("timer:source?delay=-1")
                .to("file:target/sinks/source")
                .to("kamelet:sink"));
        add(b -> b.from("fencedlease:L:kamelet:ticks").routeId("c").to("log:x"));
        node.start();
        assertThat(open())
                .containsExactlyInAnyOrder(
                        "file:target/sinks/mine",
                        "file:target/sinks/step",
                        "file:target/sinks/after",
                        "file:target/sinks/source");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sinks/sinks.yaml", "sinks/sinks.xml"})
    void routesInXmlAndYamlAreReadAsWell(String file) throws Exception {
        PluginHelper.getRoutesLoader(node.context)
                .loadRoutes(ResourceHelper.resolveResource(node.context, "classpath:" + file));
        node.start();
        assertThat(open())
                .containsOnly(
                        "file:target/sinks/onException",
                        "file:target/sinks/to",
                        "file:target/sinks/tap",
                        "file:target/sinks/behind",
                        "${header.where}");
        assertThat(node.component.sinkReport().of(L).orElseThrow().sinks())
                .filteredOn(sink -> sink.kind() == SinkClass.ACCEPTED_RISK)
                .singleElement()
                .satisfies(sink -> assertThat(sink.note()).isEqualTo("read once a day"));
    }

    @Test
    void aLeasedKafkaConsumerShouldStopAtWhatWasRefused() throws Exception {
        add(b -> b.from("fencedlease:L:kafka:a?brokers=127.0.0.1:1")
                .routeId("skips")
                .autoStartup(false)
                .to("log:x"));
        add(b -> b.from("fencedlease:L:kafka:b?brokers=127.0.0.1:1&breakOnFirstError=true")
                .routeId("stops")
                .autoStartup(false)
                .to("log:x"));
        node.start();
        LeaseSinks sinks = node.component.sinkReport().of(L).orElseThrow();
        assertThat(sinks.warnings())
                .singleElement()
                .asString()
                .contains("route skips", "breakOnFirstError=true", "commits past");
        assertThat(sinks.sinks())
                .filteredOn(sink -> sink.kind() == SinkClass.AFTER_EFFECT)
                .extracting(ReportedSink::note)
                .containsExactly("commits offsets", "commits offsets");
    }

    @Test
    void classesOfYourOwnGoBeforeOurs() throws Exception {
        classPath("to.file=idempotent : names are drawn from the content", "from.timer=after-effect : ticks");
        add(b -> b.from("fencedlease:L:timer:t").to("file:target/sinks/own?fileName=x"));
        node.start();
        assertThat(node.component.sinkReport().of(L).orElseThrow().sinks())
                .extracting(ReportedSink::toString)
                .anyMatch(text -> text.startsWith("idempotent file:") && text.endsWith("drawn from the content"))
                .anyMatch(text -> text.startsWith("after-effect timer:") && text.endsWith("ticks"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"to.file=harmless", "file=internal", "to.file=after-effect if : x"})
    void aFileOfClassesThatCannotBeReadIsRefused(String entry) throws Exception {
        classPath(entry);
        add(b -> b.from("fencedlease:L:timer:t").to("log:x"));
        assertThat(ObjectHelper.getException(SettingRefusedException.class, catchThrowable(node::start)))
                .hasMessageContainingAll("sinks.properties", entry.split("=")[0]);
    }

    private void classPath(String... entries) throws Exception {
        Path file = folder.resolve("META-INF/fencedlease/sinks.properties");
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(entries));
        ClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
        node.context.setApplicationContextClassLoader(loader);
        node.context.getClassResolver().addClassLoader(loader);
    }

    @Test
    void howLongAnOldHolderWentOnIsMeasured() throws Exception {
        node.component.setTtl(15_000); // no loss but ours
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        add(b -> b.from("fencedlease:L:timer:t?period=50").process(e -> {
            arrived.countDown();
            go.await(60, TimeUnit.SECONDS);
        }));
        node.start();
        assertThat(arrived.await(40, TimeUnit.SECONDS)).isTrue();
        assertThat(measured()).isEmpty();
        database.destroySessions();
        eventually().until(() -> measured().isPresent());
        Duration first = measured().orElseThrow();
        eventually().until(() -> measured().orElseThrow().compareTo(first) > 0);
        go.countDown();
        assertThat(measured().orElseThrow()).isGreaterThan(first);
    }

    private java.util.Optional<Duration> measured() {
        return node.component.sinkReport().of(L).orElseThrow().overlap().measured();
    }
}
