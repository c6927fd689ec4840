package io.fencedlease.fence.sql;

import io.fencedlease.lease.Tenure;
import java.sql.Connection;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The Spring transaction of this thread, if it is one on the fenced database. */
record RunningTransaction(FencedDatabase database) {

    /** @throws IllegalStateException if there is none on this data source, or it is read-only */
    void require(Tenure tenure) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.hasResource(database.dataSource)) {
            throw new IllegalStateException(tenure + ": no transaction on " + database.resource
                    + " to guard. Put the guard after transacted(), with the transaction manager of that data source");
        }
        requireWritable(tenure);
    }

    /** @throws IllegalStateException if it is read-only */
    void requireWritable(Tenure tenure) {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(tenure + ": the current transaction on " + database.resource
                    + " is read-only, and a guarded one must lock the mark. Make it a writing one");
        }
    }

    /** @throws IllegalStateException if this thread's connection to the database is in auto-commit: a lock ends with its statement */
    void requireReached(JdbcTemplate jdbc, Tenure tenure) {
        if (Boolean.TRUE.equals(jdbc.execute((ConnectionCallback<Boolean>) Connection::getAutoCommit))) {
            throw new IllegalStateException(tenure + ": the current transaction does not reach " + database.resource
                    + ", whose connection is in auto-commit. Use the transaction manager of that data source");
        }
    }

    /** No effect if it has ended. */
    void neverCommits() {
        if (TransactionSynchronizationManager.getResource(database.dataSource) instanceof ConnectionHolder held) {
            held.setRollbackOnly();
        }
    }

    /** Runs the check once before the commit, however often it is asked for. */
    void beforeCommit(TransactionSynchronization check) {
        if (!TransactionSynchronizationManager.getSynchronizations().contains(check)) {
            TransactionSynchronizationManager.registerSynchronization(check);
        }
    }
}
