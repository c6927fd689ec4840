package io.fencedlease.fence.sql;

import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** MySQL 8 and later with InnoDB. */
class MySqlDialect implements SqlDialect {

    @Override
    public String tables() {
        return "mysql";
    }

    @Override
    public String lockClause() {
        return " FOR SHARE";
    }

    @Override
    public Optional<String> inspect(JdbcTemplate jdbc, String lease, SqlFenceOptions.Lock lock) {
        boolean galera = variable(jdbc, "wsrep_on").equals("ON");
        boolean group = !variable(jdbc, "group_replication_group_name").isEmpty()
                && variable(jdbc, "group_replication_single_primary_mode").equals("OFF");
        if ((galera || group) && lock != SqlFenceOptions.Lock.UPDATE) {
            throw new SettingRefusedException(
                    lease,
                    "fence.sql.lock",
                    "share on " + (galera ? "a Galera cluster" : "group replication with several primaries")
                            + ", where a share lock is known to one node only",
                    "update");
        }
        String flush = variable(jdbc, "innodb_flush_log_at_trx_commit");
        return flush.equals("1")
                ? Optional.empty()
                : Optional.of("innodb_flush_log_at_trx_commit is " + flush + ": a crash may lose a raise");
    }

    @Override
    public Runnable prepareRaise(JdbcTemplate raising, Duration lockWait) {
        int before = SqlDialect.one(raising, Integer.class, "SELECT @@SESSION.innodb_lock_wait_timeout");
        raising.execute("SET SESSION innodb_lock_wait_timeout = " + Math.max(1, (lockWait.toMillis() + 999) / 1000));
        return () -> raising.execute("SET SESSION innodb_lock_wait_timeout = " + before);
    }

    @Override
    public String sessionId() {
        return "SELECT CONNECTION_ID()";
    }

    @Override
    public List<Blocker> blockers(JdbcTemplate watching, long sessionId) {
        return watching.query(
                """
                SELECT p.id, CONCAT_WS(' ', p.user, p.host, p.command, 'for', p.time, 's')
                FROM sys.innodb_lock_waits w JOIN information_schema.processlist p ON p.id = w.blocking_pid
                WHERE w.waiting_pid = ? AND COALESCE(w.blocking_query, '') NOT LIKE '%%%s%%'
                """.formatted(RAISE_MARKER), (row, n) -> new Blocker(row.getLong(1), row.getString(2)), sessionId);
    }

    @Override
    public void end(JdbcTemplate watching, Blocker blocker, long blocked) {
        // asked again, as late as can be: by now the session may serve somebody else; KILL takes no condition
        if (blockers(watching, blocked).stream().anyMatch(now -> now.id() == blocker.id())) {
            watching.execute("KILL " + blocker.id());
        }
    }

    private static String variable(JdbcTemplate jdbc, String name) {
        return jdbc.query("SHOW GLOBAL VARIABLES LIKE '" + name + "'", (row, n) -> row.getString(2)).stream()
                .findFirst()
                .orElse("");
    }
}
