package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.lease.SettingRefusedException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.util.ObjectHelper;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Goal: a database that cannot be fenced is refused when the context starts; one that is away is not. Method: leases in one
 * database, fences in another, on H2.
 */
class FencedDatabaseAtStartTest {

    private static final String SQL = "fencedlease:L:sql:INSERT INTO t VALUES (1)?dataSource=#fenced";

    private final LeaseDatabase leases = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(leases, "a");

    @AfterEach
    void close() {
        node.close();
        leases.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {SQL, "fencedlease:L:jdbc:fenced", "fencedlease:L:guard:x?fence.dataSource=#fenced"})
    void aDatabaseThatLosesAcknowledgedCommitsIsRefused(String sink, @TempDir Path folder) {
        assertThat(refusal(h2("jdbc:h2:" + folder.resolve("db")), sink)).contains("'L'", "WRITE_DELAY=0");
    }

    @Test
    void missingTablesAreRefusedIfTheyMustNotBeCreated() {
        node.component.getConfiguration().setCreateTables(false);
        assertThat(refusal(memory(), SQL)).contains("'L'", "createTables", "fencedlease_fence");
    }

    @Test
    void aDatabaseThatIsAwayIsWaitedFor() throws Exception {
        Away database = new Away(memory());
        new JdbcTemplate(database).execute("create table t(id int)");
        database.away = true;
        node.context.getRegistry().bind("fenced", database);
        node.routes(to(SQL)).start();
        assertThat(node.context.isStarted()).isTrue();
        database.away = false;

        eventually()
                .until(() -> node.context
                                .createProducerTemplate()
                                .request("direct:x", e -> {})
                                .getException()
                        == null);
    }

    private String refusal(DataSource fenced, String sink) {
        node.context.getRegistry().bind("fenced", fenced);
        Throwable thrown = catchThrowable(() -> node.routes(to(sink)).start());
        SettingRefusedException refusal = ObjectHelper.getException(SettingRefusedException.class, thrown);
        assertThat(refusal).as("cause of " + thrown).isNotNull();
        return refusal.getMessage();
    }

    private static RouteBuilder to(String sink) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:x").to(sink);
            }
        };
    }

    private static DataSource memory() {
        return h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    private static DataSource h2(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser("sa");
        return source;
    }

    private static final class Away extends DelegatingDataSource {
        private volatile boolean away;

        Away(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (away) {
                throw new SQLException("away", "08001");
            }
            return super.getConnection();
        }
    }
}
