package io.fencedlease.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A connection of our own, outside of the caller's transaction: auto-commit, and no call on it outlives the network
 * timeout where the driver has one (H2 has none). Given back as it was found.
 */
final class OwnConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnConnection.class);

    private final Connection connection;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final Deque<Undo> undo = new ArrayDeque<>();

    OwnConnection(DataSource dataSource, Duration networkTimeout) throws SQLException {
        connection = dataSource.getConnection();
        try {
            limit((int) networkTimeout.toMillis());
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
                undo.push(() -> connection.setAutoCommit(false));
            }
            SingleConnectionDataSource only = new SingleConnectionDataSource(connection, true);
            jdbc = new JdbcTemplate(only);
            transaction = new TransactionTemplate(inert(only), readCommitted());
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    Connection connection() {
        return connection;
    }

    /** READ COMMITTED, and unknown to Spring's transactions on this thread. */
    TransactionTemplate transaction() {
        return transaction;
    }

    void onClose(Runnable task) {
        undo.push(task::run);
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            quietly(undo.pop());
        }
        quietly(connection::close);
    }

    private void limit(int millis) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, millis);
            undo.push(() -> connection.setNetworkTimeout(Runnable::run, before));
        } catch (java.sql.SQLFeatureNotSupportedException e) {
            LOG.debug("the driver has no network timeout", e);
        }
    }

    private static void quietly(Undo task) {
        try {
            task.run();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("a connection could not be reset; it is broken", e);
        }
    }

    private static JdbcTransactionManager inert(DataSource only) {
        JdbcTransactionManager manager = new JdbcTransactionManager(only);
        manager.setTransactionSynchronization(JdbcTransactionManager.SYNCHRONIZATION_NEVER);
        return manager;
    }

    private static TransactionDefinition readCommitted() {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        return definition;
    }

    @FunctionalInterface
    private interface Undo {
        void run() throws SQLException;
    }
}
