package io.fencedlease.fence.sql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** PostgreSQL. */
final class PostgresDialect implements SqlDialect {

    private static final String IN_THE_WAY = """
            FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids(?))
            AND NOT (coalesce(wait_event_type, '') = 'Lock' AND coalesce(query, '') LIKE '%%%s%%')
            """.formatted(RAISE_MARKER);

    @Override
    public String tables() {
        return "postgresql";
    }

    @Override
    public String lockClause() {
        // not FOR KEY SHARE: it does not conflict with an update of the token
        return " FOR SHARE";
    }

    @Override
    public Optional<String> inspect(JdbcTemplate jdbc, String lease, SqlFenceOptions.Lock lock) {
        return "off".equals(SqlDialect.one(jdbc, String.class, "SHOW fsync"))
                ? Optional.of("fsync is off: a crash of the database may lose a raise")
                : Optional.empty();
    }

    @Override
    public boolean insertUnlessPresent(JdbcTemplate jdbc, String insert, Object... arguments) {
        // an error would end the transaction
        return jdbc.update(insert + " ON CONFLICT DO NOTHING", arguments) == 1;
    }

    @Override
    public Runnable prepareRaise(JdbcTemplate raising, Duration lockWait) {
        raising.queryForList("SELECT set_config('lock_timeout', ?, true)", lockWait.toMillis() + "ms");
        // only upwards: remote_apply stays
        raising.queryForList("SELECT set_config('synchronous_commit', 'on', true)"
                + " WHERE current_setting('synchronous_commit') IN ('off', 'local')");
        return () -> {};
    }

    @Override
    public String sessionId() {
        return "SELECT pg_backend_pid()";
    }

    @Override
    public List<Blocker> blockers(JdbcTemplate watching, long sessionId) {
        return watching.query(
                "SELECT pid, concat_ws(' ', usename, client_addr::text, application_name, state, 'since',"
                        + " xact_start::text) " + IN_THE_WAY,
                (row, n) -> new Blocker(row.getLong(1), row.getString(2)),
                (int) sessionId);
    }

    @Override
    public void end(JdbcTemplate watching, Blocker blocker, long blocked) {
        // asked again in the same statement: by now the session may serve somebody else
        watching.queryForList(
                "SELECT pg_terminate_backend(pid) " + IN_THE_WAY + " AND pid = ?", (int) blocked, (int) blocker.id());
    }
}
