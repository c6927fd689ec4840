package io.fencedlease.fence.sql;

import io.fencedlease.faults.MariaDb;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.mariadb.jdbc.MariaDbPoolDataSource;

@Tag("mariadb")
class MariaDbHandOversIT extends SqlHandOvers {

    private final MariaDbPoolDataSource pool = new MariaDbPoolDataSource();

    @Override
    DataSource pool() {
        try {
            pool.setUrl(MariaDb.freshDatabase().getUrl());
            pool.setUser("root");
            pool.setPassword("");
            return pool;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        pool.close();
    }
}
