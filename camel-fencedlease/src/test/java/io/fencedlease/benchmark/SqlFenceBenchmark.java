package io.fencedlease.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.camel.FencedLeaseComponent;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * What the SQL fence costs: fenced steps against the same without, in leased routes of one context, on a PostgreSQL that
 * writes to disk with each commit.
 */
class SqlFenceBenchmark {

    private static EmbeddedPostgres server;
    private static final DefaultCamelContext CONTEXT = new DefaultCamelContext();
    private static ProducerTemplate template;
    private static JdbcConnectionPool pool;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(
                        Path.of("target", "postgres").toAbsolutePath().toFile())
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        PGConnectionPoolDataSource pooled = new PGConnectionPoolDataSource();
        pooled.setUrl(server.getJdbcUrl("postgres", "postgres"));
        pool = JdbcConnectionPool.create(pooled);
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        assertThat(jdbc.queryForObject("show fsync", String.class)).isEqualTo("on");
        jdbc.execute(
                "create table invoice(id int primary key, status varchar(20), fencing_token bigint not null default 0)");
        jdbc.update("insert into invoice(id, status) select n, 'open' from generate_series(1, 100) n");
        DataSource db = pool;
        CONTEXT.getRegistry().bind("db", db);
        CONTEXT.getRegistry().bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(db)));
        FencedLeaseComponent component = CONTEXT.getComponent("fencedlease", FencedLeaseComponent.class);
        component.getConfiguration().setBackend("jdbc");
        component.getConfiguration().setDataSource(db);
        CONTEXT.addRoutes(new Routes());
        CONTEXT.start();
        template = CONTEXT.createProducerTemplate();
        await().atMost(Duration.ofSeconds(60)).until(() -> send("guarded").getException() == null);
    }

    @AfterAll
    static void stop() throws Exception {
        CONTEXT.stop();
        pool.dispose();
        server.close();
    }

    private static final class Routes extends RouteBuilder {

        private static final String UPDATE = "UPDATE invoice SET status='closed' WHERE id=:#${random(1,100)}";
        private static final String ROW = "UPDATE invoice SET status='closed', fencing_token=:#FencingToken"
                + " WHERE id=:#${random(1,100)} AND fencing_token <= :#FencingToken";

        @Override
        public void configure() {
            leased("plain").to("sql:" + UPDATE + "?dataSource=#db");
            leased("guarded").to("fencedlease:L:sql:" + UPDATE + "?dataSource=#db");
            leased("plainTransaction").transacted("required").to("sql:" + UPDATE + "?dataSource=#db");
            leased("guardedTransaction").transacted("required").to("fencedlease:L:sql:" + UPDATE + "?dataSource=#db");
            leased("plainTwenty").transacted("required").loop(20).to("sql:" + UPDATE + "?dataSource=#db");
            leased("guardTwenty")
                    .transacted("required")
                    .to("fencedlease:L:guard:invoices?fence.dataSource=#db")
                    .loop(20)
                    .to("sql:" + UPDATE + "?dataSource=#db");
            leased("plainRow").to("sql:" + ROW + "?dataSource=#db");
            leased("row").to("fencedlease:L:sql:" + ROW + "?dataSource=#db&fence.mode=row");
        }

        private org.apache.camel.model.RouteDefinition leased(String name) {
            return from("fencedlease:L:direct:" + name);
        }
    }

    private static Exchange send(String route) {
        return template.request("direct:" + route, exchange -> {});
    }

    private static Runnable sends(String route) {
        return () -> assertThat(send(route).getException()).isNull();
    }

    @Test
    void rowModeCostsNextToNothing() {
        assertThat(new Paired(200).ratio("row mode", sends("plainRow"), sends("row")))
                .isGreaterThanOrEqualTo(0.97);
    }

    @Test
    void aGuardedTransactionOfOneStatement() {
        assertThat(new Paired(100)
                        .ratio("guarded, one statement", sends("plainTransaction"), sends("guardedTransaction")))
                .isGreaterThanOrEqualTo(0.60);
    }

    @Test
    void aGuardedTransactionOfTwentyStatements() {
        assertThat(new Paired(30).ratio("guarded, twenty statements", sends("plainTwenty"), sends("guardTwenty")))
                .isGreaterThanOrEqualTo(0.95);
    }
}
