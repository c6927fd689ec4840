package io.fencedlease.fence.sql;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The fence of one lease in one database: every statement of a guarded transaction takes effect only if the mark in that
 * database is the writer's tenure.
 *
 * <p>Thread-safe; blocks. A guarded write runs in the caller's Spring transaction, or in one of its own, on the caller's
 * thread. A raise uses connections of its own, two while it waits.
 *
 * <p><em>Does not guarantee</em> anything for statements over another connection, in a suspended transaction ({@code
 * REQUIRES_NEW}) or in auto-commit; nor on a database with several primaries or one that loses acknowledged commits.
 */
public final class SqlFence implements Fence {

    private static final Logger LOG = LoggerFactory.getLogger(SqlFence.class);

    private final FencedDatabase database;
    private final PlatformTransactionManager transactions;
    private final MarkCheck check;
    private final RunningTransaction running;

    /**
     * A fence that makes and joins plain JDBC transactions.
     *
     * @param name the database for people; without secrets
     * @throws io.fencedlease.lease.SettingRefusedException if the options are out of range
     */
    public SqlFence(LeaseName lease, String name, DataSource dataSource, SqlFenceOptions options) {
        this(lease, name, dataSource, new JdbcTransactionManager(dataSource), options);
    }

    /** @param transactions makes the guarded transactions; it must manage this data source */
    public SqlFence(
            LeaseName lease,
            String name,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            SqlFenceOptions options) {
        this.database = new FencedDatabase(lease, name, dataSource, options, ShippedTables.MARKS);
        this.transactions = transactions;
        this.check = new MarkCheck(database, transactions);
        this.running = new RunningTransaction(database);
    }

    @Override
    public String resource() {
        return database.resource;
    }

    /**
     * Looks at the database and makes missing tables; otherwise done at first use. Idempotent.
     *
     * @throws io.fencedlease.lease.SettingRefusedException if this database cannot be fenced
     * @throws FenceUnavailableException if it cannot be reached now
     */
    public void prepare() {
        database.marks();
    }

    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        tenure.requireLease(database.lease, database.resource);
        new Raise(database).run(tenure);
        LOG.debug("{}: raised {}", tenure, database.resource);
    }

    /** As {@link #guardInTransaction}. */
    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        return guardInTransaction(tenure, transaction -> write.call());
    }

    /**
     * Runs a write in the current transaction, or in a new one that is committed, so that it takes effect only if the
     * mark is this tenure's. The mark is checked before the write and once more before the commit. Of an outer transaction
     * that is the outer commit: a refusal comes out of there, or whatever its transaction manager makes of it.
     *
     * @throws FencedOutException if the mark is not this tenure's, or a later tenure is being raised; nothing was written
     * @throws FenceUnavailableException if the mark could not be checked; nothing was written
     * @throws IllegalStateException if the current transaction is read-only; nothing was written
     * @throws TransactionException if the commit failed; if not rolled back for certain, the outcome is unknown
     * @throws Exception what the write itself threw; nothing was written
     */
    public <T> T guardInTransaction(Tenure tenure, GuardedWrite<T> write) throws Exception {
        tenure.requireLease(database.lease, database.resource);
        TransactionStatus transaction = begin(tenure);
        T result;
        try {
            running.requireWritable(tenure);
            check.beforeWrite(tenure);
            if (!transaction.isNewTransaction()) {
                checkBeforeOuterCommit(tenure);
            }
            result = write.write(transaction);
            if (transaction.isNewTransaction() && !transaction.isRollbackOnly()) {
                check.beforeCommit(tenure);
            }
        } catch (Exception | Error e) {
            rollBack(transaction, e);
            throw fencedOutOr(e, tenure);
        }
        try {
            transactions.commit(transaction);
        } catch (RuntimeException e) {
            throw SqlErrors.rolledBack(e) ? fencedOutOr(e, tenure) : e;
        }
        return result;
    }

    /**
     * Fences everything that the current transaction writes over this data source, before this call and after it: it
     * commits only if the mark is this tenure's, also if the caller goes on after a refusal. Call it first: what ends the
     * work before this call does not end the transaction's writes.
     *
     * @throws FencedOutException if the mark is not this tenure's, or a later tenure is being raised
     * @throws FenceUnavailableException if the mark could not be checked
     * @throws IllegalStateException if there is no current transaction on this data source, or it is read-only
     */
    public void requireInTransaction(Tenure tenure) {
        tenure.requireLease(database.lease, database.resource);
        running.require(tenure);
        // first, so that whoever handles a refusal and goes on cannot commit
        checkBeforeOuterCommit(tenure);
        try {
            check.beforeWrite(tenure);
        } catch (RuntimeException e) {
            throw check.whetherFencedOut(tenure, e)
                    .map(RuntimeException.class::cast)
                    .orElse(e);
        }
    }

    private TransactionStatus begin(Tenure tenure) {
        try {
            return transactions.getTransaction(new DefaultTransactionDefinition());
        } catch (TransactionException e) {
            throw new FenceUnavailableException(
                    database.resource + ": no transaction for " + tenure + "; nothing was written", e);
        }
    }

    private void checkBeforeOuterCommit(Tenure tenure) {
        running.beforeCommit(new CommitCheck(check, running, tenure));
    }

    private void rollBack(TransactionStatus transaction, Throwable why) {
        try {
            transactions.rollback(transaction);
        } catch (RuntimeException e) { // the connection is gone, and the transaction with it
            why.addSuppressed(e);
        }
    }

    /** Throws an Error as it is. */
    private Exception fencedOutOr(Throwable failure, Tenure tenure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return check.whetherFencedOut(tenure, failure)
                .map(Exception.class::cast)
                .orElse((Exception) failure);
    }

    /** One per tenure and transaction, however many writes it guards; last of all, since others may write before. */
    private record CommitCheck(MarkCheck check, RunningTransaction running, Tenure tenure)
            implements TransactionSynchronization {

        @Override
        public void beforeCommit(boolean readOnly) {
            check.beforeCommit(tenure);
        }

        /** Another manager's transaction may have begun inside of the guarded one, and then it is that which ended. */
        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                running.neverCommits();
            }
        }
    }
}
