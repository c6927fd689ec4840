package io.fencedlease.lease.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection as we need it for one call: autocommit, READ COMMITTED, no read longer than the attempt limit. */
final class LentConnection {

    private static final Logger LOG = LoggerFactory.getLogger(LentConnection.class);

    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private final int networkTimeout;

    LentConnection(Connection connection, Duration limit) throws SQLException {
        this.connection = connection;
        networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
        autoCommit = connection.getAutoCommit();
        isolation = connection.getTransactionIsolation();
        become(true, Connection.TRANSACTION_READ_COMMITTED);
    }

    /** As it was, for the pool's next user. */
    void restore() throws SQLException {
        become(autoCommit, isolation);
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
    }

    /** Breaks it, so that no pool keeps it; restores it first where the driver cannot break it. */
    static void discard(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("a database connection cannot be aborted: {}", e.getMessage());
        }
    }

    private void become(boolean wantedAutoCommit, int wantedIsolation) throws SQLException {
        if (connection.getAutoCommit() != wantedAutoCommit) {
            connection.setAutoCommit(wantedAutoCommit);
        }
        if (connection.getTransactionIsolation() != wantedIsolation) {
            connection.setTransactionIsolation(wantedIsolation);
        }
    }
}
