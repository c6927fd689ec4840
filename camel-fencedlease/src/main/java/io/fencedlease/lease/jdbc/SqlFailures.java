package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.FailureText;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells faults of configuration from everything else, which is of unknown outcome. */
final class SqlFailures {

    /** Login refused; no such catalog, schema; syntax, table, column or right missing. */
    private static final Set<String> REFUSED_CLASSES = Set.of("28", "3D", "3F", "42");

    /** H2: not an administrator; not enough rights; database not found and not to be created. */
    private static final Set<String> REFUSED_STATES = Set.of("90040", "90096", "90146", "90149");

    private SqlFailures() {}

    static boolean refused(Throwable failure) {
        SQLException sql = sqlCause(failure);
        if (sql == null || sql.getSQLState() == null) {
            return false;
        }
        String state = sql.getSQLState();
        return REFUSED_STATES.contains(state) || state.length() == 5 && REFUSED_CLASSES.contains(state.substring(0, 2));
    }

    static RuntimeException translated(Throwable failure, String database, String ddl) {
        if (failure instanceof BackendRefusedException || failure instanceof BackendUnavailableException) {
            return (RuntimeException) failure;
        }
        SQLException sql = sqlCause(failure);
        String words = FailureText.withoutSecrets(String.valueOf((sql == null ? failure : sql).getMessage()));
        if (refused(failure)) {
            return new BackendRefusedException(
                    database + " refuses: " + words + (ddl.isEmpty() ? "" : "; tables and rights: resource " + ddl));
        }
        return new BackendUnavailableException(database + ": " + words, failure);
    }

    private static @Nullable SQLException sqlCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
