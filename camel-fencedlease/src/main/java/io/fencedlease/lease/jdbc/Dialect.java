package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.spi.BackendRefusedException;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** A kind of database, and what has to be checked on it before a lease may live there. */
enum Dialect {
    POSTGRESQL("postgresql.sql") {
        @Override
        void check(DurabilityCheck check) {
            check.warnUnless(
                    "SHOW synchronous_commit",
                    value -> !value.equals("off"),
                    "synchronous_commit=%s",
                    "on or stronger");
        }
    },
    MARIADB("mariadb.sql") {
        @Override
        void check(DurabilityCheck check) {
            check.warnUnless(
                    "SELECT @@innodb_flush_log_at_trx_commit",
                    value -> value.equals("1"),
                    "innodb_flush_log_at_trx_commit=%s",
                    "1");
        }
    },
    H2("h2.sql") {
        @Override
        void check(DurabilityCheck check) {
            check.h2();
        }
    };

    private final String file;

    Dialect(String file) {
        this.file = file;
    }

    /** The resource with the statements that create the tables. */
    String ddl() {
        return "io/fencedlease/lease/jdbc/" + file;
    }

    /** Refuses, or warns of, a database that can forget an acknowledged token. */
    abstract void check(DurabilityCheck check);

    static Dialect of(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName().toLowerCase(Locale.ROOT);
        return switch (product) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb", "mysql" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new BackendRefusedException(
                        "leases cannot be kept in " + product + "; allowed: PostgreSQL, MariaDB, MySQL 8, H2");
        };
    }
}
