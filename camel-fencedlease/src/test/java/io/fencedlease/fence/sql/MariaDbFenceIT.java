package io.fencedlease.fence.sql;

import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL fence on MariaDB. */
@Tag("mariadb")
class MariaDbFenceIT extends SharedLockFenceContract {

    private String url;

    @Override
    DataSource freshDatabase() {
        String server = System.getProperty("mariadb.url");
        String name = "fence_" + UUID.randomUUID().toString().replace('-', '_');
        new JdbcTemplate(at(server + "mysql")).execute("CREATE DATABASE " + name);
        url = server + name;
        return at(url);
    }

    @Override
    DataSource impatient() {
        return at(url + "?sessionVariables=innodb_lock_wait_timeout=1");
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

    private static DataSource at(String url) {
        try {
            MariaDbDataSource source = new MariaDbDataSource(url);
            source.setUser("root");
            source.setPassword("");
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
