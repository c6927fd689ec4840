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
            answer(tenure, attempt(own, tenure, database.options.raiseTimeout()));
        } catch (DataAccessException | TransactionException e) {
            if (!SqlErrors.lockTimeout(e)) {
                throw unavailable(tenure, e);
            }
            LOG.debug("{}: raise of {} waits for a lock", tenure, database.resource);
            answer(tenure, new Eviction(database, this).attempt(tenure));
        }
    }

    /**
     * Both steps, each in a transaction of its own; neither of them if that is decided already, because an UPDATE may wait
     * for the row before it compares.
     *
     * @return the mark or intent that decided
     */
    Mark attempt(OwnConnection own, Tenure tenure, Duration lockWait) {
        Optional<Mark> decided = decided(own.jdbc(), tenure);
        if (decided.isPresent()) {
            return decided.get();
        }
        Marks marks = database.marks();
        own.transaction().executeWithoutResult(status -> {
            own.onClose(marks.dialect().prepareRaise(own.jdbc(), lockWait));
            marks.announce(own.jdbc(), tenure);
        });
        return own.transaction().execute(status -> {
            own.onClose(marks.dialect().prepareRaise(own.jdbc(), lockWait));
            marks.lift(own.jdbc(), tenure);
            Mark after = highest(own.jdbc(), tenure);
            if (!after.isOf(tenure)) {
                status.setRollbackOnly();
            }
            return after;
        });
    }

    /** What leaves a raise nothing to do: the tenure's own mark, or what refuses it. Read without a lock. */
    Optional<Mark> decided(JdbcTemplate jdbc, Tenure tenure) {
        Mark highest = highest(jdbc, tenure);
        return highest.token() < tenure.token().value() ? Optional.empty() : Optional.of(highest);
    }

    /** The mark, or the intent of a later tenure. */
    private Mark highest(JdbcTemplate jdbc, Tenure tenure) {
        Mark mark = database.marks().read(jdbc);
        long intent = database.marks().intent(jdbc);
        return intent > tenure.token().value() && intent > mark.token() ? new Mark(intent, "") : mark;
    }

    private void answer(Tenure tenure, Mark decided) throws RaiseRefusedException {
        if (decided.isOf(tenure)) {
            return;
        }
        if (decided.token() < tenure.token().value()) {
            throw new FenceUnavailableException(
                    database.resource + ": the mark's row vanished while " + tenure + " raised it");
        }
        throw new RaiseRefusedException(database.resource, tenure, decided.token());
    }

    FenceUnavailableException unavailable(Tenure tenure, Throwable cause) {
        return new FenceUnavailableException(
                database.resource + " could not be raised for " + tenure + "; the mark may or may not have been lifted",
                cause);
    }
}
