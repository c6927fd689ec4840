package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.fence.FencedOutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;

/** Goal: a service that holds no lease takes no stale message. Method: a context without any lease service, on H2. */
class ReceiverTest {

    private static final String GUARD = "fencedlease:L:guard:ledger?fence.dataSource=#bean:db&fence.mode=receiver";

    private final LeaseDatabase database = new LeaseDatabase();
    private final DefaultCamelContext context = new DefaultCamelContext();

    @BeforeEach
    void start() throws Exception {
        database.jdbc().execute("create table ledger(token bigint)");
        context.getRegistry().bind("db", database.dataSource());
        context.getRegistry()
                .bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(database.dataSource())));
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                receiving("fail", "");
                receiving("drop", "&fence.onStale=drop");
                receiving("deadLetter", "&fence.onStale=deadLetter&fence.deadLetter=RAW(mock:stale?retainFirst=10)");
                receiving("brokenDeadLetter", "&fence.onStale=deadLetter&fence.deadLetter=direct:nobody?block=false");
                from("direct:noTransaction").to(GUARD);
                from("direct:caught")
                        .transacted("required")
                        .doTry()
                        .to(GUARD)
                        .doCatch(Exception.class)
                        .to("log:x?level=OFF")
                        .end()
                        .to("sql:insert into ledger(token) values (0)?dataSource=#db");
            }

            private void receiving(String name, String options) {
                from("direct:" + name)
                        .transacted("required")
                        .to(GUARD + options)
                        .to("sql:insert into ledger(token) values (:#${header.FencingToken})?dataSource=#db");
            }
        });
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        database.close();
    }

    private Exchange send(String route, Map<String, @Nullable Object> headers) {
        return context.createProducerTemplate()
                .request("direct:" + route, exchange -> exchange.getMessage().setHeaders(new HashMap<>(headers)));
    }

    private Exchange send(String route, long token) {
        return send(route, headers("L", token, "nonce-" + token));
    }

    private static Map<String, @Nullable Object> headers(
            @Nullable Object lease, @Nullable Object token, @Nullable Object nonce) {
        Map<String, @Nullable Object> headers = new HashMap<>();
        headers.put(FencingHeaders.LEASE, lease);
        headers.put(FencingHeaders.TOKEN, token);
        headers.put(FencingHeaders.NONCE, nonce);
        return headers;
    }

    private List<Long> ledger() {
        return database.jdbc().queryForList("select token from ledger", Long.class);
    }

    @Test
    void aStaleMessageFailsAndNothingOfItIsWritten() {
        assertThat(send("fail", 7).getException()).isNull();
        assertThat(send("fail", 9).getException()).isNull();

        assertThat(send("fail", 7).getException(FencedOutException.class))
                .isInstanceOfSatisfying(
                        FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(9))
                .hasMessageContainingAll("'L'", "ledger", "7", "9");
        assertThat(ledger()).containsExactly(7L, 9L);
    }

    @Test
    void toDropEndsTheRouteWithoutAnError() {
        send("drop", 9);
        Exchange stale = send("drop", 7);
        assertThat(stale.getException()).isNull();
        assertThat(ledger()).containsExactly(9L);
    }

    @Test
    void aDeadLetterTellsWhyAndKeepsTheMessage() throws Exception {
        MockEndpoint dead = context.getEndpoint("mock:stale?retainFirst=10", MockEndpoint.class);
        send("deadLetter", 9);
        assertThat(send("deadLetter", 7).getException()).isNull();
        assertThat(send("deadLetter", headers("L", "x", "n")).getException()).isNull();

        assertThat(ledger()).containsExactly(9L);
        assertThat(dead.getReceivedExchanges()).hasSize(2);
        assertThat(dead.getReceivedExchanges().get(0).getMessage())
                .satisfies(message ->
                        assertThat(message.getHeader(FencingHeaders.TOKEN)).isEqualTo(7L))
                .satisfies(message -> assertThat(message.getHeader(FencingHeaders.REFUSAL, String.class))
                        .contains("ledger", "7", "9"));
    }

    @Test
    void aMessageThatCannotBePutAsideFails() {
        send("brokenDeadLetter", 9);
        assertThat(send("brokenDeadLetter", 7).getException()).isNotNull();
        assertThat(ledger()).containsExactly(9L);
    }

    @Test
    void whoCatchesARefusalAndGoesOnCommitsNothing() {
        send("fail", 9);
        assertThat(send("caught", 7).getException()).isInstanceOf(UnexpectedRollbackException.class);
        assertThat(send("caught", headers("L", null, "n")).getException())
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(ledger()).containsExactly(9L);
    }

    static Stream<Arguments> unfit() {
        return Stream.of(
                Arguments.of("no token", headers("L", null, "n"), "FencingToken"),
                Arguments.of("negative", headers("L", -7L, "n"), "-7"),
                Arguments.of("zero", headers("L", 0L, "n"), "FencingToken"),
                Arguments.of("zero as text", headers("L", "0", "n"), "FencingToken"),
                Arguments.of("beyond 64 bits", headers("L", "9223372036854775808", "n"), "9223372036854775808"),
                Arguments.of("no number", headers("L", "7x", "n"), "7x"),
                Arguments.of("signed text", headers("L", "+7", "n"), "+7"),
                Arguments.of("a fraction", headers("L", 7.5, "n"), "7.5"),
                Arguments.of("digits of another script", headers("L", "\u0667", "n"), "FencingToken"),
                Arguments.of(
                        "negative bytes",
                        headers("L", ByteBuffer.allocate(8).putLong(-7).array(), "n"),
                        "8 bytes"),
                Arguments.of("some bytes", headers("L", new byte[] {1, 2, 3}, "n"), "3 bytes"),
                Arguments.of("a nonce with a zero byte", headers("L", 7L, "n\u0000"), "FencingNonce"),
                Arguments.of("a long nonce", headers("L", 7L, "n".repeat(129)), "FencingNonce"),
                Arguments.of("no lease", headers(null, 7L, "n"), "FencingLease"),
                Arguments.of("another lease", headers("other", 7L, "n"), "other"),
                Arguments.of("a long token", headers("L", "7".repeat(5000), "n"), "7777..."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unfit")
    void aMessageWithoutAUsableTokenFailsAndIsNeverDropped(
            String what, Map<String, @Nullable Object> headers, String told) {
        for (String route : List.of("fail", "drop")) {
            assertThat(send(route, headers).getException(NoTenureException.class))
                    .isInstanceOf(NoTenureException.class)
                    .hasMessageContainingAll("'L'", told)
                    .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(400));
        }
        assertThat(ledger()).isEmpty();
    }

    static Stream<Arguments> carriers() {
        return Stream.of(
                Arguments.of("JMS", headers("L", 12_345_678L, "n")),
                Arguments.of("HTTP", headers("L", "12345678", "n")),
                Arguments.of(
                        "Kafka",
                        headers(
                                bytes("L"),
                                ByteBuffer.allocate(8).putLong(12_345_678L).array(),
                                bytes("n"))),
                Arguments.of("Kafka, as text", headers(bytes("L"), bytes("12345678"), bytes("n"))),
                Arguments.of("a sender without a nonce", headers("L", 12_345_678L, null)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("carriers")
    void theTokenIsReadAsEachCarrierBringsIt(String carrier, Map<String, @Nullable Object> headers) {
        assertThat(send("fail", headers).getException()).isNull();
        assertThat(database.jdbc().queryForObject("select token from fencedlease_received", Long.class))
                .isEqualTo(12_345_678L);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void withoutATransactionNothingIsAdmitted() {
        assertThat(send("noTransaction", 7).getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transacted()");
    }

    @Test
    void aPasswordInADeadLetterIsNotShownWhereItIsRefused() {
        assertThatThrownBy(() -> context.addRoutes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("direct:secret").to(GUARD + "&fence.deadLetter=RAW(mock:x?password=sesame)");
                    }
                }))
                .rootCause()
                .hasMessageContaining("mock:x")
                .hasMessageNotContaining("sesame");
    }

    static Stream<Arguments> refusedOptions() {
        String guard = "fencedlease:L:guard:ledger?fence.dataSource=#db";
        return Stream.of(
                Arguments.of(guard + "&fence.onStale=drop", "fence.mode=receiver"),
                Arguments.of(guard + "&fence.mode=receiver&fence.onStale=ignore", "fail, drop, deadLetter"),
                Arguments.of(guard + "&fence.mode=receiver&fence.onStale=deadLetter", "fence.deadLetter"),
                Arguments.of(guard + "&fence.mode=receiver&fence.deadLetter=mock:x", "fence.onStale=deadLetter"),
                Arguments.of(guard + "&fence.mode=receiver&fence.transactionManager=#none", "without fence.mode"),
                Arguments.of(guard + "&fence.mode=receiver&fence.sql.evict=false", "without fence.mode"),
                Arguments.of(guard + "&fence.mode=recv", "tenure, receiver"),
                Arguments.of("fencedlease:L:guard:ledger?fence.mode=receiver", "fence.dataSource"),
                Arguments.of("fencedlease:L:sql:select 1?dataSource=#db&fence.mode=receiver", "on guard: only"));
    }

    @ParameterizedTest
    @MethodSource("refusedOptions")
    void optionsThatContradictAreRefusedAtStart(String uri, String told) {
        assertThatThrownBy(() -> context.addRoutes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("direct:refused").to(uri);
                    }
                }))
                .hasRootCauseInstanceOf(io.fencedlease.lease.SettingRefusedException.class)
                .rootCause()
                .hasMessageContainingAll("'L'", told);
    }
}
