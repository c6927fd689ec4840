package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.lease.SettingRefusedException;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What differs between databases, as far as a fence is concerned. Stateless. */
interface SqlDialect {

    /** Stands in the statement of every raise, so that raises do not evict each other while they wait. */
    String RAISE_MARKER = "/* fencedlease raise */";

    /** Which of the shipped scripts makes the tables: tables-*.sql. */
    String tables();

    /** Ends a SELECT of the mark so that it waits for a raise, and a raise for it. */
    String lockClause();

    /**
     * Refuses what a row lock cannot fence: several primaries, commits that are not on disk.
     *
     * @return what should worry people although it is not refused
     */
    Optional<String> inspect(JdbcTemplate jdbc, String lease, SqlFenceOptions.Lock lock);

    /** Runs an INSERT that leaves the transaction usable if the row is there already; false then. */
    default boolean insertUnlessPresent(JdbcTemplate jdbc, String insert, Object... arguments) {
        try {
            return jdbc.update(insert, arguments) == 1;
        } catch (DuplicateKeyException present) {
            return false;
        }
    }

    /**
     * Makes the raising connection's lock waits end and its commit durable; called in its transactions.
     *
     * @return takes it back, after the transaction
     */
    Runnable prepareRaise(JdbcTemplate raising, Duration lockWait);

    /** Selects the identity of the connection's session, a number. */
    String sessionId();

    /** Who blocks this session now: raises that wait themselves left out. */
    List<Blocker> blockers(JdbcTemplate watching, long sessionId);

    /** Ends a session that blocks this one, its transaction rolled back. */
    void end(JdbcTemplate watching, Blocker blocker, long blocked);

    /** A session that blocks. */
    record Blocker(long id, String description) {
        @Override
        public String toString() {
            return "database session " + id + " (" + description + ")";
        }
    }

    static SqlDialect of(DatabaseMetaData database, String lease) throws SQLException {
        return of(
                database.getDatabaseProductName(),
                database.getDatabaseProductVersion(),
                database.getDatabaseMajorVersion(),
                lease);
    }

    /** @throws SettingRefusedException if the database is none of those known */
    static SqlDialect of(String product, String version, int major, String lease) {
        if (product.equals("PostgreSQL")) {
            return new PostgresDialect();
        }
        if (product.equals("H2")) {
            return new H2Dialect();
        }
        // the MySQL driver calls a MariaDB so
        if (product.equals("MariaDB") || (product.equals("MySQL") && version.contains("MariaDB"))) {
            return new MariaDbDialect();
        }
        if (product.equals("MySQL") && major >= 8) {
            return new MySqlDialect();
        }
        throw new SettingRefusedException(
                lease, "dataSource", product + " " + version, "PostgreSQL, MariaDB, MySQL 8 or later, H2");
    }

    /** The first column of the only row, which the database always answers. */
    static <T> T one(JdbcTemplate jdbc, Class<T> type, String sql, Object... arguments) {
        T value = jdbc.queryForObject(sql, type, arguments);
        if (value == null) {
            throw new FenceUnavailableException("the database answered null to: " + sql);
        }
        return value;
    }
}
