package io.fencedlease.fence.sql;

import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Tables that come with a script for each dialect.
 *
 * @param script the scripts are {@code <script>-<dialect>.sql} in this package
 * @param columns of each table, as {@code "a, b FROM table"}
 */
record ShippedTables(String script, List<String> columns) {

    static final ShippedTables MARKS = new ShippedTables(
            "tables",
            List.of("lease, token, nonce, writes FROM fencedlease_fence", "lease, token FROM fencedlease_intent"));

    static final ShippedTables RECEIVED =
            new ShippedTables("received", List.of("lease, resource, token, nonce FROM fencedlease_received"));

    static final ShippedTables KEYS = new ShippedTables(
            "keys",
            List.of("lease, repository, key_hash, key_text, token, confirmed, confirmed_at FROM fencedlease_keys"));

    /** Whether all of them can be read. */
    boolean exist(JdbcTemplate jdbc) {
        try {
            columns.forEach(table -> jdbc.queryForList("SELECT " + table + " WHERE 1 = 0"));
            return true;
        } catch (BadSqlGrammarException missing) {
            return false;
        }
    }

    /** Needs auto-commit. */
    void create(JdbcTemplate jdbc, SqlDialect dialect) {
        for (int others = 0; ; others++) {
            try {
                DatabasePopulatorUtils.execute(
                        new ResourceDatabasePopulator(new ClassPathResource(file(dialect), ShippedTables.class)),
                        jdbc.getDataSource());
                return;
            } catch (DataAccessException e) {
                // another node made a table while we did: PostgreSQL fails then, once for each table
                if (others == columns.size()) {
                    throw e;
                }
            }
        }
    }

    String file(SqlDialect dialect) {
        return script + "-" + dialect.tables() + ".sql";
    }

    /** The tables' names, for people. */
    String names() {
        return String.join(
                " or ",
                columns.stream().map(c -> c.substring(c.lastIndexOf(' ') + 1)).toList());
    }
}
