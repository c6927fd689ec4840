package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.NextGeneration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/**
 * Leases in three small tables of a relational database: PostgreSQL, MariaDB, MySQL 8 or H2.
 *
 * <p>A candidate ends another's session once it has seen it unrenewed for that session's TTL on its own monotonic clock,
 * counted from its own first look; so after a cold start of everybody it takes one TTL longer. Lock-delay counts from a
 * candidate's first look at a lease whose session is gone. Both are told by {@link LeaseSession#read} and {@link
 * LeaseSession#acquire} only: a candidate that does not ask sees nothing. Crash fail-over takes at most TTL + lock-delay
 * + two polls.
 *
 * <p>Thread-safe; blocks no caller. The {@link DataSource} may be a pool: its connections are given back as they were, and
 * broken after a failure. Statements run in autocommit, so it must not be bound to foreign transactions. Where a driver
 * ignores {@link java.sql.Connection#setNetworkTimeout} (H2) or a connect may hang, stages still complete in time, but
 * a thread of ours waits; set the driver's own timeouts ({@code NETWORK_TIMEOUT}, {@code connectTimeout}).
 *
 * <p>Does <em>not</em> guarantee rising tokens over a fail-over to a replica that lacks acknowledged commits, over a
 * restored backup, or with several primaries. H2 on disk is refused unless {@code WRITE_DELAY=0}.
 */
public final class JdbcBackend implements LeaseBackend {

    private static final int HOLDER_LENGTH = 255;

    private final Database database;
    private final Observer observer;
    private final JdbcSettings settings;

    /** The tables are looked for, and created where allowed, by the first call, not here. */
    public JdbcBackend(DataSource dataSource, JdbcSettings settings, Ticker ticker) {
        this.database = new Database(dataSource, settings);
        this.observer = new Observer(new Sightings(ticker));
        this.settings = settings;
    }

    @Override
    public String describe() {
        return database.describe();
    }

    @Override
    public CompletionStage<LeaseSession> openSession(LeaseSettings times, String holder) {
        String id = UUID.randomUUID().toString();
        String name = holder.substring(0, Math.min(holder.length(), HOLDER_LENGTH));
        return database.ask(times.attemptLimit(), tables -> {
            tables.openSession(id, times.ttl(), name);
            return new JdbcSession(database, observer, id, times, name);
        });
    }

    /** The row's tenure, as soon as it has taken the lease: a little before its fences are raised. */
    @Override
    public CompletionStage<Optional<Tenure>> published(LeaseName lease, Duration limit) {
        return database.ask(limit, tables -> tables.leases(List.of(lease)).stream()
                .filter(row -> row.token() > 0)
                .findFirst()
                .map(row -> new Tenure(lease, new FencingToken(row.token()), row.nonce())));
    }

    /** The token row is one for all leases: the tokens of the others rise with it. */
    @Override
    public CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit) {
        return database.ask(attemptLimit, tables -> {
            long known = Math.max(highest, tables.highestToken());
            return tables.liftToken(NextGeneration.above(lease, known));
        });
    }

    /** TTL and lock-delay, both by the candidate's clock; two polls. */
    @Override
    public Duration failoverBound(LeaseSettings times) {
        return times.ttl()
                .plus(times.lockDelay())
                .plus(pollInterval(times).orElseThrow().multipliedBy(2));
    }

    /** As set, but at most a tenth of the TTL. */
    @Override
    public Optional<Duration> pollInterval(LeaseSettings times) {
        Duration tenth = times.ttl().dividedBy(10);
        Duration set = settings.pollInterval();
        return Optional.of(set.compareTo(tenth) < 0 ? set : tenth);
    }

    @Override
    public void close() {
        database.close();
    }
}
