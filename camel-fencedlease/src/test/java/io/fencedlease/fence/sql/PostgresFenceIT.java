package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.Postgres;
import io.fencedlease.faults.TcpProxy;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;

/** The SQL fence on PostgreSQL, as an ordinary role that owns its database and no more. */
class PostgresFenceIT extends SharedLockFenceContract {

    private PGSimpleDataSource database;

    @Override
    DataSource freshDatabase() {
        Postgres.execute(
                "DO $$ BEGIN CREATE ROLE fence_app LOGIN PASSWORD 'app'; EXCEPTION WHEN duplicate_object THEN END $$");
        database = Postgres.freshDatabase();
        Postgres.execute("ALTER DATABASE " + database.getDatabaseName() + " OWNER TO fence_app");
        return asApp("");
    }

    @Override
    DataSource impatient() {
        return asApp("-c lock_timeout=500");
    }

    @Override
    String twentyMillis() {
        return "SELECT pg_sleep(0.02)";
    }

    @Override
    String settings(JdbcTemplate connection) {
        return connection.queryForObject(
                "SELECT concat(current_setting('lock_timeout'), current_setting('synchronous_commit'),"
                        + " current_setting('transaction_isolation'))",
                String.class);
    }

    /** Its session counts as active, so that no idle-in-transaction timeout would end it. */
    @Test
    void aHolderPausedWhileTheDatabaseSendsItAResultIsEvictedAsWell() throws Exception {
        try (TcpProxy network = new TcpProxy(Postgres.port())) {
            DataSource far = asApp(network);
            JdbcTemplate farJdbc = new JdbcTemplate(far);
            SqlFence holding = new SqlFence(LEASE, "db", far, OPTIONS);
            holding.raise(tenure(7));
            Pause pause = new Pause();
            CompletableFuture<Throwable> holder = inBackground(() -> holding.guard(tenure(7), () -> {
                farJdbc.update("INSERT INTO sink VALUES ('paused')");
                pause.here();
                return farJdbc.queryForList("SELECT repeat('x', 10000) FROM generate_series(1, 5000)");
            }));
            pause.awaitReached();
            network.hangAnswers(0);
            pause.end();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !jdbc.queryForList("SELECT pid FROM pg_stat_activity WHERE wait_event = 'ClientWrite'")
                            .isEmpty());
            Duration took = measure(() -> there.raise(tenure(9)));
            network.heal();

            assertThat(outcome(holder)).isInstanceOf(FencedOutException.class);
            assertThat(written()).isEmpty();
            assertThat(took).isLessThan(raiseTimeout().plusSeconds(3));
        }
    }

    @Test
    void aSerializationFailureIsRolledBackAndIsNoRefusal() throws Exception {
        insert("theirs");
        here.raise(tenure(7));

        assertThatThrownBy(() -> transaction(TransactionDefinition.ISOLATION_REPEATABLE_READ)
                        .executeWithoutResult(outer -> {
                            written();
                            requiresNew().executeWithoutResult(other -> jdbc.update("UPDATE sink SET what = what"));
                            guarded(7, () -> jdbc.update("UPDATE sink SET what = 'no'"));
                        }))
                .isInstanceOf(ConcurrencyFailureException.class);
        assertThat(written()).containsExactly("theirs");
        here.guard(tenure(7), write("now"));
    }

    @Test
    void aRaiseOverADeadSocketEndsAsUnavailable() throws Exception {
        try (TcpProxy network = new TcpProxy(Postgres.port())) {
            SingleConnectionDataSource pool =
                    new SingleConnectionDataSource(asApp(network).getConnection(), true);
            SqlFence far = new SqlFence(LEASE, "db", pool, OPTIONS);
            far.raise(tenure(7));
            network.hang();
            Duration took = measure(
                    () -> assertThatThrownBy(() -> far.raise(tenure(8))).isInstanceOf(FenceUnavailableException.class));
            pool.destroy();

            assertThat(took).isLessThan(Duration.ofSeconds(20));
        }
    }

    // T13: CAMEL-24092
    @Test
    void anUnreachableDatabaseIsNeverTakenForFencedOut() throws Exception {
        here.raise(tenure(7));
        try (TcpProxy network = new TcpProxy(Postgres.port())) {
            SqlFence far = new SqlFence(LEASE, "db", asApp(network), OPTIONS);
            far.guard(tenure(7), write("reached"));
            network.cut();

            assertThatThrownBy(() -> far.guard(tenure(7), write("no"))).isInstanceOf(FenceUnavailableException.class);
            assertThatThrownBy(() -> far.raise(tenure(8))).isInstanceOf(FenceUnavailableException.class);
        }
    }

    private DataSource asApp(TcpProxy network) {
        PGSimpleDataSource app = Postgres.through(network.port(), database);
        app.setUser("fence_app");
        app.setPassword("app");
        return app;
    }

    private DataSource asApp(String options) {
        PGSimpleDataSource app = Postgres.through(Postgres.port(), database);
        app.setUser("fence_app");
        app.setPassword("app");
        app.setOptions(options);
        return app;
    }
}
