package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.fence.NoRowWrittenException;
import io.fencedlease.lease.SettingRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.apache.camel.support.SimpleTypeConverter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Goal: SQL through a fence, in each of its ways, lets the tenure write and nobody else. Method: real contexts on H2. */
public class FencedSqlTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final JdbcTemplate jdbc = database.jdbc();
    private final AtomicInteger tries = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        jdbc.execute("create table t(id int primary key, s varchar(20), fencing_token bigint default 0)");
        jdbc.update("insert into t(id, s) values (1, 'open'), (2, 'open')");
        jdbc.execute("create alias close_row for 'io.fencedlease.camel.FencedSqlTest.closeRow'");
        SpringTransactionPolicy required =
                new SpringTransactionPolicy(new DataSourceTransactionManager(database.dataSource()));
        node.context.getRegistry().bind("required", required);
        node.routes(new Routes());
        node.start();
        eventually().until(node::holds);
        eventually().until(() -> call("direct:nothing").getException() == null);
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private final class Routes extends RouteBuilder {
        @Override
        public void configure() {
            errorHandler(defaultErrorHandler()
                    .maximumRedeliveries(3)
                    .redeliveryDelay(1)
                    .onRedelivery(e -> tries.incrementAndGet()));
            leased("nothing").process(e -> {});
            leased("guarded").to("fencedlease:L:sql:UPDATE t SET s='closed' WHERE id=:#id?dataSource=#db");
            leased("insert").to("fencedlease:L:sql:INSERT INTO t(id, s) VALUES (:#id, 'new')?dataSource=#db");
            leased("batch")
                    .to("fencedlease:L:sql:INSERT INTO t(id) VALUES (#)?dataSource=#db&batch=true"
                            + "&batchAutoCommitDisabled=true");
            leased("jdbc")
                    .setBody(constant("INSERT INTO t(id, s) VALUES (77, 'jdbc')"))
                    .to("fencedlease:L:jdbc:db");
            leased("stored").to("fencedlease:L:sql-stored:close_row(INTEGER ${header.id})?dataSource=#db");
            leased("row")
                    .to("fencedlease:L:sql:UPDATE t SET s='row', fencing_token=:#FencingToken"
                            + " WHERE id=:#id AND fencing_token <= :#FencingToken?dataSource=#db&fence.mode=row");
            leased("rowChecked")
                    .to("fencedlease:L:sql:UPDATE t SET s='row', fencing_token=:#FencingToken"
                            + " WHERE id=:#id AND fencing_token <= :#FencingToken?dataSource=#db&fence.mode=row"
                            + "&fence.check=SELECT fencing_token FROM t WHERE id=:#id");
            leased("rowFailing")
                    .to("fencedlease:L:sql:UPDATE t SET id='x', fencing_token=:#FencingToken"
                            + " WHERE id=:#id AND fencing_token <= :#FencingToken?dataSource=#db&fence.mode=row");
            leased("guard")
                    .transacted("required")
                    .to("sql:UPDATE t SET s='guarded' WHERE id=:#id?dataSource=#db")
                    .to("fencedlease:L:guard:invoices?fence.dataSource=#db");
            leased("twice")
                    .transacted("required")
                    .to("fencedlease:L:sql:UPDATE t SET s='first' WHERE id=1?dataSource=#db")
                    .process(e -> {
                        if (e.getMessage().getHeader("raise") != null) {
                            throw new IllegalStateException("after the first write");
                        }
                    });
            leased("tryCatch")
                    .doTry()
                    .to("fencedlease:L:sql:UPDATE t SET s='closed' WHERE id=:#id?dataSource=#db")
                    .doCatch(FencedOutException.class)
                    .setHeader("caught", constant(true))
                    .end()
                    .setHeader("wentOn", constant(true));
            leased("logged")
                    .onException(IllegalStateException.class)
                    .to("fencedlease:L:sql:INSERT INTO t(id, s) VALUES (66, 'failed')?dataSource=#db")
                    .end()
                    .process(e -> {
                        e.setRollbackOnly(true);
                        throw new IllegalStateException("to be rolled back");
                    });
            leased("dynamic").toD("fencedlease:L:sql:UPDATE ${header.table} SET s='dyn' WHERE id=:#id?dataSource=#db");
            from("direct:unleased").to("fencedlease:L:sql:DELETE FROM t?dataSource=#db");
            from("fencedlease:other:direct:otherLease").to("fencedlease:L:sql:DELETE FROM t?dataSource=#db");
        }

        private org.apache.camel.model.RouteDefinition leased(String name) {
            return from("fencedlease:L:direct:" + name);
        }
    }

    /** A stored procedure. */
    public static void closeRow(Connection connection, int id) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update t set s = 'stored' where id = ?")) {
            update.setInt(1, id);
            update.executeUpdate();
        }
    }

    private record Forged(long token) {
        Map<String, Object> asMap() {
            return Map.of("id", 1, "FencingToken", token);
        }
    }

    private Exchange call(String uri, Object... headers) {
        return node.context.createProducerTemplate().request(uri, exchange -> {
            exchange.getMessage().setHeader("id", 1);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getMessage().setHeader((String) headers[i], headers[i + 1]);
            }
        });
    }

    private String state(int id) {
        return jdbc.queryForObject("select s from t where id=?", String.class, id);
    }

    /** What a successor's raise does, so that this node's tenure is fenced out. */
    private void anotherTenureRaises() {
        jdbc.update("update fencedlease_fence set token = token + 1000, nonce = 'later' where lease = 'L'");
    }

    @Test
    void theTenureWrites() {
        assertThat(call("direct:guarded").getException()).isNull();
        assertThat(state(1)).isEqualTo("closed");
        assertThat(call("direct:insert", "id", 3).getException()).isNull();
        assertThat(state(3)).isEqualTo("new");
        assertThat(call("direct:jdbc").getException()).isNull();
        assertThat(state(77)).isEqualTo("jdbc");
        assertThat(call("direct:guard").getException()).isNull();
        assertThat(state(1)).isEqualTo("guarded");
        assertThat(call("direct:dynamic", "table", "t").getException()).isNull();
        assertThat(state(1)).isEqualTo("dyn");
        assertThat(call("direct:stored").getException()).isNull();
        assertThat(state(1)).isEqualTo("stored");
        Exchange batch = node.context.createProducerTemplate().request("direct:batch", e -> e.getMessage()
                .setBody(List.of(List.of(10), List.of(11))));
        assertThat(batch.getException()).isNull();
        assertThat(jdbc.queryForObject("select count(*) from t where id in (10, 11)", Integer.class))
                .isEqualTo(2);
    }

    /** Each in a context of its own: once the fence is known to be ahead, the routes that write there are stopped. */
    @ParameterizedTest
    @ValueSource(strings = {"guarded", "insert", "guard", "jdbc", "dynamic", "stored"})
    void aFencedOutTenureWritesNothingAndIsNotRedelivered(String route) {
        anotherTenureRaises();
        Exchange exchange = call("direct:" + route, "table", "t", "id", route.equals("insert") ? 5 : 1);
        assertThat(exchange.getException(FencedOutException.class)).isNotNull();
        assertThat(tries).hasValue(0);
        assertThat(state(1)).isEqualTo("open");
        assertThat(jdbc.queryForObject("select count(*) from t", Integer.class)).isEqualTo(2);
    }

    // T88: KAFKA-9911
    @Test
    void aResourceAheadOfTheServiceIsReportedAndTheLeaseIsKept() {
        long token = token();
        anotherTenureRaises();
        call("direct:guarded");
        eventually().until(() -> report("L").problem().isPresent());
        assertThat(report("L").problem().orElseThrow())
                .contains("ahead", Long.toString(token), Long.toString(token + 1000));
        assertThat(token()).isEqualTo(token);
    }

    @Test
    void afterACaughtRefusalTheRouteGoesOn() {
        anotherTenureRaises();
        Exchange exchange = call("direct:tryCatch");
        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getMessage().getHeaders()).containsKeys("caught", "wentOn");
    }

    @Test
    void whatAnErrorHandlerWritesOfAnExchangeToBeRolledBackIsWritten() {
        call("direct:logged");
        assertThat(jdbc.queryForList("select s from t where id = 66", String.class))
                .containsExactly("failed");
    }

    @Test
    void anOuterTransactionThatFailsLaterTakesTheGuardedWriteBack() {
        assertThat(call("direct:twice").getException()).isNull();
        assertThat(state(1)).isEqualTo("first");
        jdbc.update("update t set s='open'");
        assertThat(call("direct:twice", "raise", true).getException()).isNotNull();
        assertThat(state(1)).isEqualTo("open");
    }

    @Test
    void rowModeWritesTheTokenAndRefusesZeroRows() {
        assertThat(call("direct:row").getException()).isNull();
        assertThat(jdbc.queryForMap("select s, fencing_token from t where id=1"))
                .containsEntry("s", "row")
                .containsEntry("fencing_token", token());
        jdbc.update("update t set s='later', fencing_token=fencing_token+1000");
        assertThat(call("direct:row").getException())
                .isInstanceOf(NoRowWrittenException.class)
                .hasMessageContaining("fencing_token <= :#FencingToken");
        assertThat(state(1)).isEqualTo("later");
    }

    @Test
    void anEarlierStepsUpdateCountIsNotTakenForOurs() {
        Exchange exchange = call("direct:rowFailing", "CamelSqlUpdateCount", 1);
        assertThat(exchange.getException()).isNotNull();
        assertThat(exchange.getMessage().getHeader("CamelSqlUpdateCount")).isNull();
    }

    @Test
    void withACheckRowModeTellsFencedOutFromNoSuchRow() {
        assertThat(call("direct:rowChecked", "id", 99).getException())
                .isInstanceOf(NoRowWrittenException.class)
                .hasMessageContaining("no such row");
        long token = token();
        jdbc.update("update t set fencing_token=?", token + 1000);
        assertThat(call("direct:rowChecked").getException()).isInstanceOfSatisfying(FencedOutException.class, e -> {
            assertThat(e.mark()).isEqualTo(token + 1000);
            assertThat(e.token()).isEqualTo(token);
        });
    }

    @Test
    void nothingReaimsACheckedStatement() {
        assertThat(call("direct:guarded", "CamelSqlDataSource", database.dataSource())
                        .getException())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("CamelSqlDataSource");
        assertThat(call("direct:row", "CamelSqlDataSource", database.dataSource())
                        .getException())
                .isInstanceOf(SettingRefusedException.class);
        assertThat(call("direct:guarded", "CamelSqlQuery", "truncate table t").getException())
                .as("a statement that commits by itself would leave the guarded transaction")
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("CamelSqlQuery");
        assertThat(call("direct:row", "CamelSqlQuery", "update t set s='bypassed'")
                        .getException())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("CamelSqlQuery");
        assertThat(call("direct:stored", "CamelSqlStoredTemplate", "other()").getException())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("CamelSqlStoredTemplate");
        node.context
                .getTypeConverterRegistry()
                .addTypeConverter(
                        Map.class,
                        Forged.class,
                        new SimpleTypeConverter(false, (type, exchange, value) -> ((Forged) value).asMap()));
        Exchange converted = node.context.createProducerTemplate().request("direct:row", e -> e.getMessage()
                .setBody(new Forged(99_999_999L)));
        assertThat(converted.getException())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("FencingToken");
        Exchange forged = node.context.createProducerTemplate().request("direct:row", e -> e.getMessage()
                .setBody(Map.of("id", 1, "FencingToken", 99_999_999L)));
        assertThat(forged.getException())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("FencingToken");
        assertThat(state(1)).isEqualTo("open");
    }

    // T93: CAMEL-23496
    @Test
    void anExchangeWithoutATenureOrWithAnotherLeasesIsRefused() {
        assertThat(call("direct:unleased", FencingHeaders.TOKEN, token()).getException())
                .isInstanceOf(NoTenureException.class)
                .hasMessageContaining("'L'");
        eventually().untilAsserted(() -> assertThat(call("direct:otherLease").getException())
                .isInstanceOf(NoTenureException.class)
                .hasMessageContainingAll("'L'", "'other'"));
        assertThat(jdbc.queryForObject("select count(*) from t", Integer.class)).isEqualTo(2);
    }

    @Test
    void afterALossTheOldTenureIsShutOutAndTheNextOneWrites() {
        long before = token();
        database.destroySessions();
        eventually().until(() -> report("L").tenure().isPresent() && token() > before);
        eventually().until(() -> call("direct:guarded").getException() == null);
        assertThat(jdbc.queryForObject("select token from fencedlease_fence where lease='L'", Long.class))
                .isEqualTo(token());
    }

    private io.fencedlease.lease.LeaseReport report(String lease) {
        return node.component.reports().stream()
                .filter(r -> r.lease().value().equals(lease))
                .findFirst()
                .orElseThrow();
    }

    private long token() {
        return report("L").tenure().orElseThrow().token().value();
    }
}
