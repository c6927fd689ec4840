package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import java.nio.file.Path;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL fence on H2 in this JVM. */
class H2FenceTest extends SqlFenceContract {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    DataSource freshDatabase() {
        return h2(url + ";LOCK_TIMEOUT=30000");
    }

    @Override
    DataSource impatient() {
        return h2(url + ";LOCK_TIMEOUT=500");
    }

    @Override
    String settings(JdbcTemplate connection) {
        return connection.queryForObject("SELECT LOCK_TIMEOUT()", String.class);
    }

    @Test
    void onDiskItIsRefusedIfAnAcknowledgedRaiseCanBeLost(@TempDir Path folder) {
        String file = "jdbc:h2:" + folder.resolve("db");

        assertThatThrownBy(() -> new SqlFence(LEASE, "db", h2(file), OPTIONS).prepare())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("WRITE_DELAY=0");
        new SqlFence(LEASE, "db", h2(file + ";WRITE_DELAY=0"), OPTIONS).prepare();
    }

    private static DataSource h2(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser("sa");
        return source;
    }
}
