package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.apache.camel.builder.Builder.header;
import static org.apache.camel.builder.Builder.simple;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.camel.Forgery.Verdict;
import io.fencedlease.camel.idempotent.FencedJdbcIdempotentRepository;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * Goal: no header fools a fence. Method: each {@link Forgery} is put into the messages that reach each fence, under its
 * lease, under another one and under none; and into those that reach a receiver. A fence joins with one line of {@link
 * #fences}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ForgedTokensContract {

    private static final String FORGED = "forged";
    private static final List<String> RECEIVERS = List.of("receiver", "verifying", "dropping");

    @TempDir
    static Path folder;

    final DefaultCamelContext context = new DefaultCamelContext();
    private @Nullable JdbcTemplate jdbc;
    private @Nullable Tenure own;

    /**
     * A fence that writes something with the token in the header.
     *
     * @param write the steps of a route that write for the id in the header
     * @param tokens those written for an id
     */
    record Fenced(String name, Consumer<RouteDefinition> write, Function<String, List<Long>> tokens) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** Where leases are kept. */
    abstract void configure(FencedLeaseConfiguration configuration) throws Exception;

    /** Where the fences in SQL are. */
    abstract DataSource dataSource();

    List<Fenced> fences() {
        String insert = "INSERT INTO written(id, fencing_token) VALUES ";
        String guard = "fencedlease:L:guard:written?fence.dataSource=#db";
        String update =
                "UPDATE written SET fencing_token=:#FencingToken WHERE id=:#id AND fencing_token<=:#FencingToken";
        return List.of(
                sql("sql", r -> r.to("fencedlease:L:sql:" + insert + "(:#id, :#FencingToken)?dataSource=#db")),
                sql("jdbc", r -> r.setBody(simple(insert + "('${header.id}', ${header.FencingToken})"))
                        .to("fencedlease:L:jdbc:db")),
                sql("row token", r -> r.to("sql:" + insert + "(:#id, 0)?dataSource=#db")
                        .to("fencedlease:L:sql:" + update + "?dataSource=#db&fence.mode=row")),
                sql("guard", r -> r.transacted("required")
                        .to(guard)
                        .to("sql:" + insert + "(:#id, :#FencingToken)?dataSource=#db")),
                new Fenced(
                        "file",
                        r -> r.setBody(simple("${header.FencingToken}", String.class))
                                .setHeader(Exchange.FILE_NAME, header("id"))
                                .to("fencedlease:L:file:" + folder.resolve("out")),
                        this::inFile),
                new Fenced("jdbc repository", r -> steps(r, "orders"), this::inRepository));
    }

    private Fenced sql(String name, Consumer<RouteDefinition> write) {
        return new Fenced(name, write, this::inTable);
    }

    static void steps(RouteDefinition route, String repository) {
        route.idempotentConsumer(header("id")).idempotentRepository(repository).process(e -> {});
    }

    private List<Long> inTable(String id) {
        return jdbc.queryForList("SELECT fencing_token FROM written WHERE id=? AND fencing_token<>0", Long.class, id);
    }

    private List<Long> inRepository(String id) {
        return jdbc.queryForList("SELECT token FROM fencedlease_keys WHERE key_text=?", Long.class, id);
    }

    private List<Long> inFile(String id) {
        Path file = folder.resolve("out").resolve(id);
        try {
            return Files.exists(file) ? List.of(Long.valueOf(Files.readString(file))) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    void start() throws Exception {
        jdbc = new JdbcTemplate(dataSource());
        jdbc.execute("CREATE TABLE written(id varchar(40), fencing_token bigint)");
        jdbc.execute("CREATE TABLE received(id varchar(40))");
        FencedLeaseComponent component = context.getComponent("fencedlease", FencedLeaseComponent.class);
        configure(component.getConfiguration());
        // a paused machine shall not cost it
        component.setTtl(60_000);
        context.getShutdownStrategy().setTimeout(10);
        context.getRegistry().bind("db", dataSource());
        context.getRegistry()
                .bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(dataSource())));
        context.getRegistry().bind("orders", new FencedJdbcIdempotentRepository("L", "orders", dataSource()));
        context.addRoutes(new Routes());
        context.start();
        for (Fenced fence : fences()) {
            eventually().untilAsserted(() -> assertThat(
                            request(fence.name() + " leased", Map.of()).getException())
                    .as("%s", fence)
                    .isNull());
        }
        eventually().until(() -> request("of other", Map.of()).getException() == null);
        own = tenure(request("of L", Map.of()).getMessage());
    }

    @AfterAll
    void stop() {
        context.stop();
    }

    private final class Routes extends RouteBuilder {
        @Override
        public void configure() {
            for (Fenced fence : fences()) {
                // once more within the route: what entered with the message was overwritten there
                fence.write()
                        .accept(from("fencedlease:L:direct:" + fence + " leased")
                                .process(ForgedTokensContract::forge));
                fence.write()
                        .accept(from("fencedlease:other:direct:" + fence + " of another lease")
                                .process(ForgedTokensContract::forge));
                fence.write().accept(from("direct:" + fence + " without a lease"));
            }
            from("fencedlease:L:direct:of L").process(e -> {});
            from("fencedlease:other:direct:of other").process(e -> {});
            receiver("receiver", "");
            receiver("verifying", "&fence.verify=true");
            receiver("dropping", "&fence.verify=true&fence.onStale=drop");
        }

        private void receiver(String name, String options) {
            from("direct:" + name)
                    .transacted("required")
                    .to("fencedlease:L:guard:" + name + "?fence.dataSource=#db&fence.mode=receiver" + options)
                    .to("sql:INSERT INTO received(id) VALUES (:#id)?dataSource=#db");
        }
    }

    private static void forge(Exchange exchange) {
        Map<?, ?> forged = exchange.getProperty(FORGED, Map.class);
        forged.forEach((name, value) -> exchange.getMessage().setHeader((String) name, value));
        exchange.getMessage().getHeaders().values().removeIf("missing"::equals);
    }

    private Exchange request(String route, Map<String, ?> forged) {
        return context.createProducerTemplate().request("direct:" + route, exchange -> {
            exchange.getMessage().setHeader("id", UUID.randomUUID().toString());
            exchange.setProperty(FORGED, forged);
            forge(exchange);
        });
    }

    private static Tenure tenure(Message message) {
        return new Tenure(
                new LeaseName(message.getHeader(FencingHeaders.LEASE, String.class)),
                new FencingToken(message.getHeader(FencingHeaders.TOKEN, Long.class)),
                message.getHeader(FencingHeaders.NONCE, String.class));
    }

    private static String id(Exchange exchange) {
        return exchange.getMessage().getHeader("id", String.class);
    }

    private static <T> Stream<Arguments> eachForgeryAt(List<T> places) {
        return places.stream().flatMap(place -> Stream.of(Forgery.values()).map(f -> Arguments.of(place, f)));
    }

    Stream<Arguments> atFences() {
        return eachForgeryAt(fences());
    }

    static Stream<Arguments> atReceivers() {
        return eachForgeryAt(RECEIVERS);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("atFences")
    void underATenureItsOwnTokenIsWrittenWhateverTheHeaderSays(Fenced fence, Forgery forgery) {
        Exchange written = request(fence + " leased", forgery.headers(own));

        assertThat(written.getException()).isNull();
        assertThat(fence.tokens().apply(id(written)))
                .containsExactly(own.token().value());
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("atFences")
    void withoutATenureOfTheFencesLeaseNothingIsWrittenWhateverTheHeaderSays(Fenced fence, Forgery forgery) {
        for (String whose : List.of(" without a lease", " of another lease")) {
            Exchange refused = request(fence + whose, forgery.headers(own));

            assertThat(refused.getException(NoTenureException.class)).as(whose).hasMessageContaining("'L'");
            assertThat(fence.tokens().apply(id(refused))).as(whose).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("atReceivers")
    void aReceiverTakesAndRemembersOnlyWhatItIsMeantTo(String receiver, Forgery forgery) {
        jdbc.update("UPDATE fencedlease_received SET token=0, nonce=''");
        assertThat(receive(receiver, Forgery.NONE)).isEqualTo(Verdict.ADMITTED);

        Verdict expected = receiver.equals("receiver") ? forgery.unverified : forgery.verified;
        boolean dropped = expected == Verdict.STALE && receiver.equals("dropping");
        assertThat(receive(receiver, forgery)).isEqualTo(dropped ? Verdict.DROPPED : expected);

        if (expected != Verdict.ADMITTED) {
            assertThat(jdbc.queryForMap("SELECT token, nonce FROM fencedlease_received WHERE resource=?", receiver))
                    .containsEntry("token", own.token().value())
                    .containsEntry("nonce", own.nonce());
            assertThat(receive(receiver, Forgery.NONE)).isEqualTo(Verdict.ADMITTED);
        }
    }

    private Verdict receive(String receiver, Forgery forgery) {
        Exchange exchange = request(receiver, forgery.headers(own));
        boolean written = !jdbc.queryForList("SELECT id FROM received WHERE id=?", id(exchange))
                .isEmpty();
        if (exchange.getException() == null) {
            return written ? Verdict.ADMITTED : Verdict.DROPPED;
        }
        assertThat(written).isFalse();
        if (exchange.getException(NoTenureException.class) != null) {
            return Verdict.UNFIT;
        }
        assertThat(exchange.getException(FencedOutException.class)).isNotNull();
        return Verdict.STALE;
    }
}
