package io.fencedlease.fence.sql;

import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;

/** What a database's error means to a fence. */
final class SqlErrors {

    /** Record changed since the snapshot, lock wait timeout, deadlock; a session that was ended, a statement that was. */
    private static final Set<Integer> MARIADB = Set.of(1020, 1205, 1213, 1317, 1927, 1969, 3024);

    /** Lock timeout; connection broken; database or session closed. */
    private static final Set<Integer> H2 = Set.of(50200, 90067, 90098, 90121);

    private SqlErrors() {}

    /** A lock was not had in time. */
    static boolean lockTimeout(Throwable error) {
        return any(
                error, e -> "55P03".equals(e.getSQLState()) || e.getErrorCode() == 1205 || e.getErrorCode() == 50200);
    }

    /** The same work may succeed when tried again: rolled back, a timeout, statement, connection or session ended. */
    static boolean isTransient(Throwable error) {
        return any(error, e -> {
            String state = e.getSQLState() == null ? "" : e.getSQLState();
            return state.startsWith("40")
                    || state.startsWith("08")
                    || state.startsWith("57P")
                    || state.equals("57014")
                    || state.equals("55P03")
                    || state.equals("HYT00")
                    || MARIADB.contains(e.getErrorCode())
                    || H2.contains(e.getErrorCode());
        });
    }

    /** A commit that failed so has certainly not happened. */
    static boolean rolledBack(Throwable error) {
        return any(error, e -> {
            String state = e.getSQLState() == null ? "" : e.getSQLState();
            return state.startsWith("40") && !state.equals("40003");
        });
    }

    private static boolean any(Throwable error, Predicate<SQLException> test) {
        int depth = 0;
        for (Throwable t = error; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof SQLException first) {
                for (SQLException e = first; e != null && depth < 20; e = e.getNextException(), depth++) {
                    if (test.test(e)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
