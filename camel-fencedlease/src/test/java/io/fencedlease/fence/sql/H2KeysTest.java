package io.fencedlease.fence.sql;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Keys in H2 in this JVM. */
class H2KeysTest extends SqlKeysContract {

    @Override
    DataSource freshDatabase() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000");
        source.setUser("sa");
        return source;
    }
}
