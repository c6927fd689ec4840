package io.fencedlease.examples.failover;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The director's view of the database; only reads. */
final class Ledger {

    private final JdbcTemplate jdbc;

    Ledger(DataSource database) {
        jdbc = new JdbcTemplate(database);
    }

    List<Entry> entries() {
        return jdbc.query(
                "SELECT entry, batch, node, token, total FROM ledger ORDER BY entry",
                (row, n) -> new Entry(
                        row.getLong(1), row.getInt(2), row.getString(3), row.getLong(4), row.getBigDecimal(5)));
    }

    Books books() {
        return jdbc.queryForObject(
                "SELECT COUNT(*), COUNT(DISTINCT batch), SUM(amount) FROM invoices",
                (row, n) -> new Books(row.getInt(1), row.getInt(2), row.getBigDecimal(3), entries()));
    }
}
