package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcOperations;

/** The tables on one connection. Each statement is a transaction of its own: none leaves a lock behind. */
final class Tables {

    private static final int TOKEN_TRIES = 50;

    private static final String SELECT_LEASE = """
            SELECT l.lease, l.session_id, l.token, l.nonce, l.holder, l.lock_delay_millis,
                   s.id, s.renewals, s.ttl_millis, s.holder AS session_holder
            FROM ${lease} l LEFT JOIN ${session} s ON s.id = l.session_id
            WHERE l.lease IN\s""";

    private static final String TAKE_LEASE = """
            UPDATE ${lease} SET session_id = ?, token = ?, nonce = ?, holder = ?, lock_delay_millis = ?
            WHERE lease = ? AND token = ? AND COALESCE(session_id, '') = ?
              AND EXISTS (SELECT 1 FROM ${session} WHERE id = ?)""";

    /** A dead session frees nothing: its leases stay shut for the lock-delay. Token and nonce stay: they are published. */
    private static final String RELEASE_LEASE = """
            UPDATE ${lease} SET session_id = NULL, holder = ''
            WHERE lease = ? AND session_id = ? AND token = ?
              AND EXISTS (SELECT 1 FROM ${session} WHERE id = ?)""";

    private final JdbcOperations jdbc;
    private final String prefix;

    Tables(JdbcOperations jdbc, String prefix) {
        this.jdbc = jdbc;
        this.prefix = prefix;
    }

    void openSession(String id, Duration ttl, String holder) {
        update(
                "INSERT INTO ${session} (id, renewals, ttl_millis, holder) VALUES (?, 0, ?, ?)",
                id,
                ttl.toMillis(),
                holder);
    }

    /** False if there is no such session. */
    boolean renewSession(String id) {
        return update("UPDATE ${session} SET renewals = renewals + 1 WHERE id = ?", id) == 1;
    }

    boolean sessionLives(String id) {
        return !jdbc.queryForList(sql("SELECT 1 FROM ${session} WHERE id = ?"), Integer.class, id)
                .isEmpty();
    }

    void endSession(String id) {
        update("DELETE FROM ${session} WHERE id = ?", id);
    }

    /** Ends a session only if it was not renewed since this row was read. */
    boolean endUnrenewed(SessionRow seen) {
        return update("DELETE FROM ${session} WHERE id = ? AND renewals = ?", seen.id(), seen.renewals()) == 1;
    }

    List<SessionRow> sessions() {
        return jdbc.query(
                sql("SELECT id, renewals, ttl_millis, holder AS session_holder FROM ${session}"),
                (row, number) -> session(row));
    }

    /** The lease's row, created if there is none. */
    LeaseRow lease(LeaseName lease) {
        List<LeaseRow> rows = leases(List.of(lease));
        if (!rows.isEmpty()) {
            return rows.get(0);
        }
        try {
            update(
                    "INSERT INTO ${lease} (lease, session_id, token, nonce, holder, lock_delay_millis)"
                            + " VALUES (?, NULL, 0, '', '', 0)",
                    lease.value());
        } catch (DataIntegrityViolationException createdByAnother) {
            // read below
        }
        return leases(List.of(lease)).get(0);
    }

    List<LeaseRow> leases(List<LeaseName> leases) {
        String marks = String.join(", ", Collections.nCopies(leases.size(), "?"));
        Object[] names = leases.stream().map(LeaseName::value).toArray();
        return new ArrayList<>(jdbc.query(
                sql(SELECT_LEASE) + "(" + marks + ")",
                (row, number) -> new LeaseRow(
                        new LeaseName(row.getString("lease")),
                        Optional.ofNullable(row.getString("session_id")).orElse(""),
                        row.getLong("token"),
                        row.getString("nonce"),
                        row.getString("holder"),
                        Duration.ofMillis(row.getLong("lock_delay_millis")),
                        row.getString("id") == null ? Optional.empty() : Optional.of(session(row))),
                names));
    }

    /** Puts a living session into a lease's row if it is still as seen. */
    boolean take(LeaseRow seen, String session, long token, String nonce, String holder, Duration lockDelay) {
        return update(
                        TAKE_LEASE,
                        session,
                        token,
                        nonce,
                        holder,
                        lockDelay.toMillis(),
                        seen.lease().value(),
                        seen.token(),
                        seen.sessionId(),
                        session)
                == 1;
    }

    boolean release(LeaseName lease, String session, long token) {
        return update(RELEASE_LEASE, lease.value(), session, token, session) == 1;
    }

    /** A token higher than any drawn before; another client between read and update costs a repetition. */
    long drawToken() {
        for (int tried = 0; tried < TOKEN_TRIES; tried++) {
            List<Long> last = tokenRow();
            if (last.isEmpty()) {
                throw new BackendRefusedException("table " + prefix + "token has lost its row: insert (1, T) with T not"
                        + " below the highest token in " + prefix + "lease and at every fence, or call openGeneration");
            }
            long next = last.get(0) + 1;
            if (update("UPDATE ${token} SET token = ? WHERE id = 1 AND token = ?", next, last.get(0)) == 1) {
                return next;
            }
        }
        throw new BackendUnavailableException("too many candidates draw tokens at once");
    }

    private List<Long> tokenRow() {
        return jdbc.queryForList(sql("SELECT token FROM ${token} WHERE id = 1"), Long.class);
    }

    /** Of all leases; 0 if there are none. */
    long highestToken() {
        Long highest = jdbc.queryForObject(sql("SELECT MAX(token) FROM ${lease}"), Long.class);
        return highest == null ? 0 : highest;
    }

    /** Upwards only; puts a lost row back. The number that is there now. */
    long liftToken(long to) {
        if (tokenRow().isEmpty()) {
            try {
                update("INSERT INTO ${token} (id, token) VALUES (1, ?)", to);
            } catch (DataIntegrityViolationException createdByAnother) {
                // lifted below
            }
        }
        update("UPDATE ${token} SET token = ? WHERE id = 1 AND token < ?", to, to);
        return tokenRow().get(0);
    }

    private int update(String statement, Object... values) {
        return jdbc.update(sql(statement), values);
    }

    private String sql(String statement) {
        return statement
                .replace("${lease}", prefix + "lease")
                .replace("${session}", prefix + "session")
                .replace("${token}", prefix + "token");
    }

    private static SessionRow session(ResultSet row) throws SQLException {
        return new SessionRow(
                row.getString("id"),
                row.getLong("renewals"),
                Duration.ofMillis(row.getLong("ttl_millis")),
                row.getString("session_holder"));
    }
}
