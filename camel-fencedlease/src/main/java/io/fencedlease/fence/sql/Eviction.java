package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.sql.SqlDialect.Blocker;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Raises past a transaction that does not end: waits for the lock once more on a thread of its own, sees who is in the
 * way, which databases tell only while somebody waits, and ends those sessions.
 */
final class Eviction {

    private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);

    /** MariaDB keeps its answer until it was not asked for 100 ms. */
    private static final long LOOK_EVERY_MILLIS = 150;

    private static final Duration LONG_ENOUGH_TO_SEE = Duration.ofSeconds(1);

    private final FencedDatabase database;
    private final Raise raise;
    private final Map<Blocker, String> seen = new LinkedHashMap<>();

    Eviction(FencedDatabase database, Raise raise) {
        this.database = database;
        this.raise = raise;
    }

    /** As {@link Raise#attempt}, once. Ends nobody if the raise is decided meanwhile: its own wait then ends by itself. */
    Mark attempt(Tenure tenure) {
        CompletableFuture<Long> session = new CompletableFuture<>();
        FutureTask<Mark> waiting = new FutureTask<>(() -> waitForLock(tenure, session));
        try (OwnConnection watching = database.connect()) {
            Thread thread = new Thread(waiting, "fencedlease-raise-" + database.lease);
            thread.setDaemon(true);
            thread.start();
            return watch(watching, tenure, session, waiting);
        } catch (ExecutionException e) {
            throw failure(tenure, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw raise.unavailable(tenure, e);
        }
    }

    private Mark waitForLock(Tenure tenure, CompletableFuture<Long> session) {
        Duration wait = database.options.evict() ? database.options.raiseTimeout() : LONG_ENOUGH_TO_SEE;
        try (OwnConnection own = database.connect()) {
            session.complete(SqlDialect.one(
                    own.jdbc(), Long.class, database.marks().dialect().sessionId()));
            return raise.attempt(own, tenure, wait);
        } catch (RuntimeException | Error e) {
            session.completeExceptionally(e);
            throw e;
        }
    }

    private Mark watch(OwnConnection watching, Tenure tenure, Future<Long> session, Future<Mark> waiting)
            throws ExecutionException, InterruptedException {
        long blocked = session.get();
        while (true) {
            try {
                return waiting.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException stillWaiting) {
                Optional<Mark> decided = endBlockers(watching, tenure, blocked);
                if (decided.isPresent()) {
                    return decided.get();
                }
            }
        }
    }

    /** @return what has decided the raise meanwhile; then the blocker is a successor or ourselves, and is let be */
    private Optional<Mark> endBlockers(OwnConnection watching, Tenure tenure, long blocked) {
        SqlDialect dialect = database.marks().dialect();
        try {
            for (Blocker blocker : dialect.blockers(watching.jdbc(), blocked)) {
                Optional<Mark> decided = raise.decided(watching.jdbc(), tenure);
                if (decided.isPresent()) {
                    return decided;
                }
                if (seen.putIfAbsent(blocker, "") == null) {
                    seen.put(blocker, end(watching, tenure, blocker, blocked));
                }
            }
        } catch (DataAccessException e) {
            if (seen.putIfAbsent(new Blocker(0, "unknown"), "cannot be seen: " + reason(e)) == null) {
                LOG.warn("{}: raise of {} is blocked; by whom cannot be seen", tenure, database.resource, e);
            }
        }
        return Optional.empty();
    }

    private String end(OwnConnection watching, Tenure tenure, Blocker blocker, long blocked) {
        String mark =
                "the mark is token " + database.marks().read(watching.jdbc()).token();
        if (!database.options.evict()) {
            LOG.warn("{}: raise of {} blocked by {}; {}; evict=false", tenure, database.resource, blocker, mark);
            return "not ended, since evict=false";
        }
        try {
            database.marks().dialect().end(watching.jdbc(), blocker, blocked);
            LOG.warn(
                    "{}: raise of {} blocked for {} ms by {}; {}; session ended",
                    tenure,
                    database.resource,
                    database.options.raiseTimeout().toMillis(),
                    blocker,
                    mark);
            return "ended, but the lock did not come free";
        } catch (DataAccessException e) {
            LOG.warn("{}: raise of {} blocked by {}; {}; not ended", tenure, database.resource, blocker, mark, e);
            return "could not be ended: " + reason(e);
        }
    }

    private FenceUnavailableException failure(Tenure tenure, Throwable cause) {
        if (cause instanceof FenceUnavailableException e) {
            return e;
        }
        if (!SqlErrors.lockTimeout(cause)) {
            return raise.unavailable(tenure, cause);
        }
        return new FenceUnavailableException(
                database.resource + " could not be raised for " + tenure + " within "
                        + database.options.raiseTimeout().toMillis() + " ms: blocked by "
                        + (seen.isEmpty() ? "a session that cannot be seen (a prepared transaction?)" : blame()),
                cause);
    }

    private String blame() {
        StringBuilder text = new StringBuilder();
        seen.forEach((blocker, fate) -> text.append(text.isEmpty() ? "" : "; ")
                .append(blocker)
                .append(", ")
                .append(fate));
        return text.toString();
    }

    private static String reason(DataAccessException e) {
        return String.valueOf(e.getMostSpecificCause().getMessage());
    }
}
