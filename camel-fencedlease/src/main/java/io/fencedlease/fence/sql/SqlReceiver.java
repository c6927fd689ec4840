package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A receiver's memory: the highest tenure of a lease that one resource has heard of. Holds no lease and is never raised;
 * it learns of a tenure by its first message.
 *
 * <p>Compares and lifts in the receiver's own transaction, so a message that is rolled back was never heard. Thread-safe;
 * blocks, one message of a resource at a time.
 *
 * <p><em>Does not guarantee</em> that the tenure presented is a real one: a forged higher token passes, and shuts out the
 * real ones. Nor anything before the first message of a later tenure.
 */
public final class SqlReceiver {

    private static final int LONGEST_NAME = 128;

    private final FencedDatabase database;
    private final RunningTransaction transaction;
    private final String resource;
    private final JdbcTemplate jdbc;
    private volatile boolean rowMade;

    /**
     * @param resource what is protected; tokens are compared for each lease and resource
     * @param name the database for people; without secrets
     * @throws SettingRefusedException if the resource's name is too long
     */
    public SqlReceiver(LeaseName lease, String resource, String name, DataSource dataSource, SqlFenceOptions options) {
        if (resource.isBlank() || resource.length() > LONGEST_NAME) {
            throw new SettingRefusedException(
                    lease.value(), "guard", resource, "a name of 1 to " + LONGEST_NAME + " characters");
        }
        this.database = new FencedDatabase(lease, name, dataSource, options, ShippedTables.RECEIVED);
        this.transaction = new RunningTransaction(database);
        this.resource = resource;
        this.jdbc = new JdbcTemplate(database.dataSource);
    }

    /** As {@link SqlFence#prepare}; also makes the row of this resource. */
    public void prepare() {
        database.dialect();
        if (!rowMade) {
            insertMissing();
            rowMade = true;
        }
    }

    /**
     * Lets the current transaction go on if no higher tenure has been heard of, and remembers this one with its commit.
     * Where that could not be checked it is checked before the commit.
     *
     * @throws FencedOutException if the message is stale: a higher token was heard, or an equal one of another tenure
     * @throws FenceUnavailableException if that could not be checked
     * @throws IllegalStateException if there is no current transaction on this data source, or it is read-only
     */
    public void admit(Tenure presented) {
        transaction.require(presented);
        Again again = checkBeforeCommit();
        Tenure before = again.highest;
        again.highest = presented;
        try {
            compareAndLift(presented);
        } catch (FencedOutException refused) {
            again.highest = before;
            throw refused;
        }
    }

    /** The current transaction, if there is one on this data source, never commits: for those who handle a refusal. */
    public void neverCommits() {
        transaction.neverCommits();
    }

    /** Because a rollback to a savepoint takes back what was lifted, and drops the lock. */
    private Again checkBeforeCommit() {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof Again again && again.receiver == this) {
                return again;
            }
        }
        Again again = new Again(this);
        TransactionSynchronizationManager.registerSynchronization(again);
        return again;
    }

    private void compareAndLift(Tenure presented) {
        try {
            prepare();
            transaction.requireReached(jdbc, presented);
            Mark heard = lock();
            compare(heard, presented);
            jdbc.update(
                    "UPDATE fencedlease_received SET token = ?, nonce = ? WHERE lease = ? AND resource = ?",
                    presented.token().value(),
                    presented.nonce().isEmpty()
                                    && heard.token() == presented.token().value()
                            ? heard.nonce()
                            : presented.nonce(),
                    database.lease.value(),
                    resource);
        } catch (DataAccessException e) {
            throw new FenceUnavailableException(
                    database.resource + ": what '" + resource + "' has heard of " + presented.lease()
                            + " could not be checked; nothing was written",
                    e);
        }
    }

    private void compare(Mark heard, Tenure presented) {
        long token = presented.token().value();
        if (heard.token() > token) {
            throw new FencedOutException(place(), presented, heard.token());
        }
        // a sender need not pass the nonce on
        boolean comparable = !heard.nonce().isEmpty() && !presented.nonce().isEmpty();
        if (heard.token() == token && comparable && !heard.nonce().equals(presented.nonce())) {
            throw new FencedOutException(
                    place(),
                    presented,
                    token,
                    "the same token of another tenure: the coordination service went backwards");
        }
    }

    private String place() {
        return "receiver '" + resource + "' in " + database.resource;
    }

    private Mark lock() {
        return jdbc
                .query(
                        "SELECT token, nonce FROM fencedlease_received WHERE lease = ? AND resource = ? FOR UPDATE",
                        (row, n) -> new Mark(row.getLong(1), row.getString(2)),
                        database.lease.value(),
                        resource)
                .stream()
                .findFirst()
                .orElseThrow(() -> new FenceUnavailableException(place() + ": the row of lease '" + database.lease
                        + "' in fencedlease_received is gone, or younger than this transaction's snapshot. If it was"
                        + " deleted, what was heard is forgotten: restart the receiver to begin anew"));
    }

    /** In a connection of its own: in the running transaction another message's row would be an error that ends it. */
    private void insertMissing() {
        try (OwnConnection own = database.connect()) {
            boolean missing = own.jdbc()
                    .queryForList(
                            "SELECT token FROM fencedlease_received WHERE lease = ? AND resource = ?",
                            database.lease.value(),
                            resource)
                    .isEmpty();
            if (missing) {
                own.jdbc()
                        .update(
                                "INSERT INTO fencedlease_received (lease, resource, token, nonce) VALUES (?, ?, 0, '')",
                                database.lease.value(),
                                resource);
            }
        } catch (DataIntegrityViolationException otherReceiverWasFaster) {
            // the row is there, which is all we want
        } catch (DataAccessException e) {
            throw new FenceUnavailableException(place() + " could not be prepared", e);
        }
    }

    /** One for each receiver and transaction, which may bring messages of several tenures, one after the other. */
    private static final class Again implements TransactionSynchronization {

        private final SqlReceiver receiver;
        private @Nullable Tenure highest;

        Again(SqlReceiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            if (highest != null) {
                receiver.compareAndLift(highest);
            }
        }

        /** Another manager's transaction may have begun inside of the guarded one, and then it is that which ended. */
        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                receiver.transaction.neverCommits();
            }
        }
    }
}
