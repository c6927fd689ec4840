package io.fencedlease.fence.sql;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The rows of one lease in {@code fencedlease_fence} and {@code fencedlease_intent}, as statements. */
record Marks(LeaseName lease, SqlDialect dialect) {

    private static final String MARK = "SELECT token, nonce FROM fencedlease_fence WHERE lease = ?";

    /** Without a lock: what is committed, as this transaction's snapshot sees it. */
    Mark read(JdbcTemplate jdbc) {
        return query(jdbc, MARK);
    }

    /** Locks the row until the transaction ends, and reads what is committed now, never an older snapshot. */
    Mark lock(JdbcTemplate jdbc, SqlFenceOptions.Lock lock) {
        if (lock == SqlFenceOptions.Lock.UPDATE) {
            jdbc.update("UPDATE fencedlease_fence SET writes = writes + 1 WHERE lease = ?", lease.value());
        }
        return query(jdbc, MARK + dialect.lockClause());
    }

    /** The highest token announced by a raise; 0 if none. */
    long intent(JdbcTemplate jdbc) {
        return jdbc
                .query(
                        "SELECT token FROM fencedlease_intent WHERE lease = ?",
                        (row, n) -> row.getLong(1),
                        lease.value())
                .stream()
                .findFirst()
                .orElse(0L);
    }

    /** Needs auto-commit: another node may be faster. */
    void insertMissing(JdbcTemplate jdbc) {
        insertMissing(jdbc, "fencedlease_fence", "(lease, token, nonce) VALUES (?, 0, '')");
        insertMissing(jdbc, "fencedlease_intent", "(lease, token) VALUES (?, 0)");
    }

    /** Step one of a raise: only rises. Guards that read it give way, so that step two gets its lock. */
    void announce(JdbcTemplate jdbc, Tenure tenure) {
        long token = tenure.token().value();
        jdbc.update(
                "UPDATE fencedlease_intent SET token = ? WHERE lease = ? AND token < ?", token, lease.value(), token);
    }

    /** Step two: waits for the row lock; changes nothing unless the mark is lower. */
    void lift(JdbcTemplate jdbc, Tenure tenure) {
        long token = tenure.token().value();
        jdbc.update(
                "UPDATE " + SqlDialect.RAISE_MARKER
                        + " fencedlease_fence SET token = ?, nonce = ? WHERE lease = ? AND token < ?",
                token,
                tenure.nonce(),
                lease.value(),
                token);
    }

    private void insertMissing(JdbcTemplate jdbc, String table, String values) {
        if (jdbc.queryForList("SELECT lease FROM " + table + " WHERE lease = ?", lease.value())
                .isEmpty()) {
            try {
                jdbc.update("INSERT INTO " + table + " " + values, lease.value());
            } catch (DataIntegrityViolationException otherNodeWasFaster) {
                // the row is there, which is all we want
            }
        }
    }

    private Mark query(JdbcTemplate jdbc, String sql) {
        return jdbc.query(sql, (row, n) -> new Mark(row.getLong(1), row.getString(2)), lease.value()).stream()
                .findFirst()
                .orElse(Mark.NONE);
    }
}
