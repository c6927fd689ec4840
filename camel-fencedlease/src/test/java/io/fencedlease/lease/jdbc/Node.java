package io.fencedlease.lease.jdbc;

import io.fencedlease.contract.Answers;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** One node: a backend, its own clock, one session. Time for others passes only as the test says. */
final class Node implements AutoCloseable {

    static final LeaseName LEASE = new LeaseName("invoice-closer");
    static final LeaseSettings TTL_30S = LeaseSettings.builder("*")
            .attemptLimit(Duration.ofSeconds(10))
            .lockDelay(Duration.ofSeconds(20))
            .build();

    final FakeTicker clock = new FakeTicker();
    final JdbcBackend backend;
    final LeaseSession session;

    Node(DataSource database, String name) {
        this(database, name, TTL_30S);
    }

    Node(DataSource database, String name, LeaseSettings settings) {
        backend = new JdbcBackend(database, JdbcSettings.defaults(), clock);
        session = Answers.of(() -> backend.openSession(settings, name));
    }

    Acquisition acquire(String nonce) {
        return Answers.of(() -> session.acquire(LEASE, nonce));
    }

    long token(String nonce) {
        return ((Acquisition.Acquired) acquire(nonce)).token().value();
    }

    Renewal renew() {
        return Answers.of(session::renew);
    }

    Release release(long revision) {
        return Answers.of(() -> session.release(LEASE, revision));
    }

    Holding look() {
        return Answers.of(() -> session.read(List.of(LEASE))).get(LEASE);
    }

    @Override
    public void close() {
        backend.close();
    }
}
