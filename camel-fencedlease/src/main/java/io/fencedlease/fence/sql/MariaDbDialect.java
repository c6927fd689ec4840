package io.fencedlease.fence.sql;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** MariaDB with InnoDB. */
final class MariaDbDialect extends MySqlDialect {

    @Override
    public String lockClause() {
        return " LOCK IN SHARE MODE";
    }

    @Override
    public List<Blocker> blockers(JdbcTemplate watching, long sessionId) {
        return watching.query(
                """
                SELECT b.trx_mysql_thread_id, CONCAT_WS(' ', p.user, p.host, p.command, 'since', b.trx_started)
                FROM information_schema.innodb_trx r
                JOIN information_schema.innodb_lock_waits w ON w.requesting_trx_id = r.trx_id
                JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id
                LEFT JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id
                WHERE r.trx_mysql_thread_id = ? AND COALESCE(b.trx_query, '') NOT LIKE '%%%s%%'
                """.formatted(RAISE_MARKER), (row, n) -> new Blocker(row.getLong(1), row.getString(2)), sessionId);
    }
}
