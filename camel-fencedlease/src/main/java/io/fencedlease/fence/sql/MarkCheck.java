package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Compares the mark with a tenure, inside the transaction that writes. */
final class MarkCheck {

    private static final Logger LOG = LoggerFactory.getLogger(MarkCheck.class);

    private final FencedDatabase database;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate apart;
    private final RunningTransaction running;

    MarkCheck(FencedDatabase database, PlatformTransactionManager transactions) {
        this.database = database;
        this.jdbc = new JdbcTemplate(database.dataSource);
        this.running = new RunningTransaction(database);
        this.apart = new TransactionTemplate(transactions);
        this.apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    /** Locks the mark until the current transaction ends, or refuses. */
    void beforeWrite(Tenure tenure) {
        Marks marks = database.marks();
        try {
            lockAndCompare(marks, tenure);
            // after the lock, or a raise announced in between would not be seen; an older snapshot costs time only
            giveWay(marks, tenure);
        } catch (DataAccessException e) {
            throw unavailable(tenure, e);
        }
    }

    /** Locks the mark again: a rollback to a savepoint has dropped the lock. */
    void beforeCommit(Tenure tenure) {
        try {
            lockAndCompare(database.marks(), tenure);
        } catch (DataAccessException e) {
            throw whetherFencedOut(tenure, e).map(RuntimeException.class::cast).orElseGet(() -> unavailable(tenure, e));
        }
    }

    /**
     * Reads the mark anew if the failure is one that trying again might mend, so that a holder that was fenced out
     * meanwhile does not take it for bad luck.
     */
    Optional<FencedOutException> whetherFencedOut(Tenure tenure, Throwable failure) {
        if (failure instanceof FencedOutException || !SqlErrors.isTransient(failure)) {
            return Optional.empty();
        }
        try {
            apart.executeWithoutResult(status -> {
                Marks marks = database.marks();
                marks.read(jdbc).require(tenure, database.resource);
                giveWay(marks, tenure);
            });
        } catch (FencedOutException e) {
            e.addSuppressed(failure);
            return Optional.of(e);
        } catch (RuntimeException e) {
            LOG.debug("{}: after a failure, the mark of {} could not be read either", tenure, database.resource, e);
        }
        return Optional.empty();
    }

    private void lockAndCompare(Marks marks, Tenure tenure) {
        running.requireReached(jdbc, tenure);
        marks.lock(jdbc, database.options.lock()).require(tenure, database.resource);
    }

    private void giveWay(Marks marks, Tenure tenure) {
        long intent = marks.intent(jdbc);
        if (intent > tenure.token().value()) {
            throw new FencedOutException(
                    database.resource,
                    tenure,
                    intent,
                    "announced by a raise that waits for the transactions still running");
        }
    }

    private FenceUnavailableException unavailable(Tenure tenure, DataAccessException e) {
        return new FenceUnavailableException(
                database.resource + ": the mark could not be checked for " + tenure + "; nothing was written", e);
    }
}
