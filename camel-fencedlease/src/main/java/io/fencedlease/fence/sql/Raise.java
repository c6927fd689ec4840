package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Lifts the mark in two steps: first the intent is committed, which makes guards give way; then the mark is lifted under
 * the row lock. Without the first, a busy holder's overlapping transactions keep the lock from ever being free.
 */
final class Raise {

    private static final Logger LOG = LoggerFactory.getLogger(Raise.class);

    private final FencedDatabase database;

    Raise(FencedDatabase database) {
        this.database = database;
    }

    void run(Tenure tenure) throws RaiseRefusedException {
        try (OwnConnection own = database.connect()) {
            database.marks().insertMissing(own.jdbc());
            refuse(tenure, attempt(own, tenure, database.options.raiseTimeout()));
        } catch (DataAccessException | TransactionException e) {
            if (!SqlErrors.lockTimeout(e)) {
                throw unavailable(tenure, e);
            }
            LOG.debug("{}: raise of {} waits for a lock", tenure, database.resource);
            refuse(tenure, new Eviction(database, this).attempt(tenure));
        }
    }

    /**
     * Both steps, each in a transaction of its own.
     *
     * @return the mark or intent that refused it
     */
    Optional<Mark> attempt(OwnConnection own, Tenure tenure, Duration lockWait) {
        Marks marks = database.marks();
        own.transaction().executeWithoutResult(status -> {
            own.onClose(marks.dialect().prepareRaise(own.jdbc(), lockWait));
            marks.announce(own.jdbc(), tenure);
        });
        return own.transaction().execute(status -> {
            own.onClose(marks.dialect().prepareRaise(own.jdbc(), lockWait));
            marks.lift(own.jdbc(), tenure);
            Optional<Mark> higher = refusal(marks, own.jdbc(), tenure);
            if (higher.isPresent()) {
                status.setRollbackOnly();
            }
            return higher;
        });
    }

    private static Optional<Mark> refusal(Marks marks, JdbcTemplate jdbc, Tenure tenure) {
        Mark mark = marks.read(jdbc);
        if (!mark.isOf(tenure)) {
            return Optional.of(mark);
        }
        long intent = marks.intent(jdbc);
        return intent > tenure.token().value() ? Optional.of(new Mark(intent, "")) : Optional.empty();
    }

    private void refuse(Tenure tenure, Optional<Mark> by) throws RaiseRefusedException {
        if (by.isEmpty()) {
            return;
        }
        Mark mark = by.get();
        if (mark.token() < tenure.token().value()) {
            throw new FenceUnavailableException(
                    database.resource + ": the mark's row vanished while " + tenure + " raised it");
        }
        throw new RaiseRefusedException(database.resource, tenure, mark.token(), mark.nonce());
    }

    FenceUnavailableException unavailable(Tenure tenure, Throwable cause) {
        return new FenceUnavailableException(
                database.resource + " could not be raised for " + tenure + "; the mark may or may not have been lifted",
                cause);
    }
}
