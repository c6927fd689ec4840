package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A session that lives as long as its row. */
final class JdbcSession implements LeaseSession {

    /** How often a lease's row may change under an acquisition before that counts as unknown. */
    private static final int ACQUIRE_TRIES = 5;

    private final Database database;
    private final Observer observer;
    private final String id;
    private final LeaseSettings settings;
    private final String holder;

    JdbcSession(Database database, Observer observer, String id, LeaseSettings settings, String holder) {
        this.database = database;
        this.observer = observer;
        this.id = id;
        this.settings = settings;
        this.holder = holder;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public CompletionStage<Renewal> renew() {
        return ask(tables -> tables.renewSession(id) ? new Renewal.Renewed() : gone());
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseName lease, String nonce) {
        return ask(tables -> {
            for (int tried = 0; tried < ACQUIRE_TRIES; tried++) {
                Optional<Acquisition> answer =
                        tables.sessionLives(id) ? attempt(tables, tables.lease(lease), nonce) : Optional.of(gone());
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            throw new BackendUnavailableException("lease '" + lease + "': contended, not acquired");
        });
    }

    /**
     * Nothing to write: the lease's row has token and nonce since it was taken, and is never taken with a lower token.
     * So its own memory never refuses; a database that lost it is found out by {@link #acquire} or by other fences.
     */
    @Override
    public CompletionStage<Publication> publish(Tenure tenure, long revision) {
        return ask(tables -> {
            LeaseRow row = tables.lease(tenure.lease());
            boolean held = row.sessionId().equals(id) && !row.orphaned() && row.token() == revision;
            return held && row.nonce().equals(tenure.nonce())
                    ? new Publication.Published(false)
                    : new Publication.NotHeld();
        });
    }

    @Override
    public CompletionStage<Release> release(LeaseName lease, long revision) {
        return ask(tables -> {
            if (tables.release(lease, id, revision)) {
                return Release.DONE;
            }
            LeaseRow row = tables.lease(lease);
            return row.sessionId().equals(id) && !row.orphaned() ? Release.MOVED : Release.DONE;
        });
    }

    @Override
    public CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
        List<LeaseName> asked = List.copyOf(leases);
        return ask(tables -> observer.read(tables, id, asked));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return database.ask(settings.attemptLimit(), tables -> {
                    tables.endSession(id);
                    return Optional.empty();
                })
                .thenAccept(ended -> {});
    }

    /** Empty if the row changed meanwhile. */
    private Optional<Acquisition> attempt(Tables tables, LeaseRow row, String nonce) {
        boolean ours = row.sessionId().equals(id);
        if (ours && row.nonce().equals(nonce)) {
            return Optional.of(confirmed(tables, row.token()));
        }
        if (!ours) {
            Optional<Acquisition> obstacle = observer.obstacle(tables, row);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        long token = tables.drawToken();
        if (token <= row.token()) {
            throw new BackendRefusedException("lease '" + row.lease() + "' token " + row.token()
                    + ": the token row went backwards, it gave " + token + "; call openGeneration for this lease");
        }
        return tables.take(row, id, token, nonce, holder, settings.lockDelay())
                ? Optional.of(confirmed(tables, token))
                : Optional.empty();
    }

    /**
     * Acquired only if the session's row is still there after the lease's row names it. Written, not read: an ending of
     * the session comes before or after it. A session that ended in between left its name in the lease's row, which costs
     * a lock-delay and no more.
     */
    private Acquisition confirmed(Tables tables, long token) {
        return tables.renewSession(id) ? new Acquisition.Acquired(new FencingToken(token), token) : gone();
    }

    private SessionGone gone() {
        return new SessionGone("no row of session " + id);
    }

    private <T> CompletionStage<T> ask(Function<Tables, T> work) {
        return database.ask(settings.attemptLimit(), work);
    }
}
