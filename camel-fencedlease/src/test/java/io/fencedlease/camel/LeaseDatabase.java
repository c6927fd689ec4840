package io.fencedlease.camel;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.jdbc.core.JdbcTemplate;

/** An H2 database in this JVM, as a pool. Gone when closed. */
final class LeaseDatabase implements AutoCloseable {

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    DataSource dataSource() {
        return pool;
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(pool);
    }

    /** Ends a session from outside, as an operator or an expiry would. */
    void destroySessions() {
        jdbc().update("delete from fencedlease_session");
    }

    @Override
    public void close() {
        jdbc().execute("shutdown");
        pool.dispose();
    }
}
