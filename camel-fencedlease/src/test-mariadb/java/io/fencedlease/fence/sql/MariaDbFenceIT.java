package io.fencedlease.fence.sql;

import io.fencedlease.faults.MariaDb;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL fence on MariaDB. */
@Tag("mariadb")
class MariaDbFenceIT extends SharedLockFenceContract {

    private MariaDbDataSource database;

    @Override
    DataSource freshDatabase() {
        database = MariaDb.freshDatabase();
        return database;
    }

    @Override
    DataSource impatient() {
        try (var connection = database.getConnection()) {
            MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + MariaDb.port() + "/"
                    + connection.getCatalog() + "?sessionVariables=innodb_lock_wait_timeout=1");
            source.setUser("root");
            source.setPassword("");
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    String twentyMillis() {
        return "DO SLEEP(0.02)";
    }

    @Override
    String settings(JdbcTemplate connection) {
        return connection.queryForObject(
                "SELECT CONCAT(@@SESSION.innodb_lock_wait_timeout, @@SESSION.tx_isolation)", String.class);
    }
}
