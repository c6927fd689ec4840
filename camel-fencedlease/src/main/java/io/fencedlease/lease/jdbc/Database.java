package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.spi.BackendUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Lends connections to calls, on the workers' threads, and says in our words how they failed. */
final class Database implements AutoCloseable {

    private final DataSource dataSource;
    private final JdbcSettings settings;
    private final Workers workers;

    /** Set once the tables are there. Two threads may both prepare: it is idempotent, and no lock is held over I/O. */
    private volatile String description;

    private volatile boolean prepared;
    private volatile String ddl = "";

    Database(DataSource dataSource, JdbcSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.workers = new Workers(settings.threads());
        this.description = "database with tables " + settings.tablePrefix() + "*";
    }

    String describe() {
        return description;
    }

    /** Fails only with the exceptions that backends may fail with. */
    <T> CompletionStage<T> ask(Duration limit, Function<Tables, T> work) {
        return workers.call(limit, tooLate -> {
            try (Connection connection = dataSource.getConnection()) {
                if (tooLate.getAsBoolean()) {
                    throw new BackendUnavailableException("a connection came too late");
                }
                return lend(connection, limit, work);
            } catch (SQLException | RuntimeException failure) {
                throw SqlFailures.translated(failure, description, ddl);
            }
        });
    }

    @Override
    public void close() {
        workers.close();
    }

    private <T> T lend(Connection connection, Duration limit, Function<Tables, T> work) throws SQLException {
        try {
            LentConnection lent = new LentConnection(connection, limit);
            JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            prepare(connection, jdbc);
            T answer = work.apply(new Tables(jdbc, settings.tablePrefix()));
            lent.restore();
            return answer;
        } catch (SQLException | RuntimeException failure) {
            LentConnection.discard(connection);
            throw failure;
        }
    }

    private void prepare(Connection connection, JdbcTemplate jdbc) throws SQLException {
        if (prepared) {
            return;
        }
        String url = withoutSecrets(connection.getMetaData().getURL());
        Dialect dialect = Dialect.of(connection.getMetaData());
        description = url + " tables " + settings.tablePrefix() + "*";
        ddl = dialect.ddl();
        dialect.check(new DurabilityCheck(jdbc, url));
        new Schema(settings, dialect).prepare(jdbc);
        prepared = true;
    }

    /** Without parameters and user, where drivers accept passwords. */
    private static String withoutSecrets(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }
}
