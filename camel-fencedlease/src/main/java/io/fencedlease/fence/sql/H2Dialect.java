package io.fencedlease.fence.sql;

import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** H2, as a server or in this JVM. It has no share lock: a holder's writers run one after the other. */
final class H2Dialect implements SqlDialect {

    @Override
    public String tables() {
        return "h2";
    }

    @Override
    public String lockClause() {
        return " FOR UPDATE";
    }

    @Override
    public Optional<String> inspect(JdbcTemplate jdbc, String lease, SqlFenceOptions.Lock lock) {
        Integer delay = jdbc.queryForObject("""
                SELECT MAX(CAST(SETTING_VALUE AS INTEGER)) FROM INFORMATION_SCHEMA.SETTINGS
                WHERE SETTING_NAME = 'WRITE_DELAY' AND DATABASE_PATH() IS NOT NULL
                """, Integer.class);
        if (delay != null && delay != 0) {
            throw new SettingRefusedException(
                    lease,
                    "dataSource",
                    "H2 on disk with WRITE_DELAY=" + delay + ", which loses acknowledged raises on a crash",
                    ";WRITE_DELAY=0 in the URL of the first connection");
        }
        return Optional.empty();
    }

    @Override
    public Runnable prepareRaise(JdbcTemplate raising, Duration lockWait) {
        int before = SqlDialect.one(raising, Integer.class, "SELECT LOCK_TIMEOUT()");
        raising.execute("SET LOCK_TIMEOUT " + lockWait.toMillis());
        return () -> raising.execute("SET LOCK_TIMEOUT " + before);
    }

    @Override
    public String sessionId() {
        return "SELECT SESSION_ID()";
    }

    @Override
    public List<Blocker> blockers(JdbcTemplate watching, long sessionId) {
        return watching.query(
                """
                SELECT b.SESSION_ID, CONCAT_WS(' ', b.USER_NAME, b.CLIENT_ADDR, b.SESSION_STATE, 'since', b.SESSION_START)
                FROM INFORMATION_SCHEMA.SESSIONS w JOIN INFORMATION_SCHEMA.SESSIONS b ON b.SESSION_ID = w.BLOCKER_ID
                WHERE w.SESSION_ID = ?
                AND NOT (b.BLOCKER_ID IS NOT NULL AND COALESCE(b.EXECUTING_STATEMENT, '') LIKE '%%%s%%')
                """.formatted(RAISE_MARKER), (row, n) -> new Blocker(row.getLong(1), row.getString(2)), sessionId);
    }

    @Override
    public void end(JdbcTemplate watching, Blocker blocker, long blocked) {
        watching.queryForList(
                "SELECT ABORT_SESSION(BLOCKER_ID) FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = ? AND BLOCKER_ID = ?",
                blocked,
                blocker.id());
    }
}
