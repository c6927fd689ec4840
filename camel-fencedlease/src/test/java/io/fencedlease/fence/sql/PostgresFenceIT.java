package io.fencedlease.fence.sql;

import io.fencedlease.faults.Postgres;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

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

    private DataSource asApp(String options) {
        PGSimpleDataSource app = Postgres.through(Postgres.port(), database);
        app.setUser("fence_app");
        app.setPassword("app");
        app.setOptions(options);
        return app;
    }
}
