package io.fencedlease.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** What the contract's sentences are written with: two clients of one service, their sessions, one lease. */
abstract class ContractBench {

    final LeaseName lease = fresh();
    private final List<LeaseSession> opened = new ArrayList<>();

    /** The backend under test; the same object throughout one test. */
    protected abstract LeaseBackend backend();

    /** Another client of the same service, as a second node would have. */
    protected abstract LeaseBackend secondClient();

    /** Ends a session as an operator would, without its client. */
    protected abstract void endFromOutside(String session) throws Exception;

    /** For tests in which nothing may expire. */
    protected LeaseSettings lasting() {
        return settings(Duration.ofSeconds(60));
    }

    /** For tests that wait for an expiry. */
    protected LeaseSettings expiring() {
        return settings(Duration.ofSeconds(3));
    }

    /** How long an unrenewed session and its lock-delay may take to end; services may keep sessions for twice the TTL. */
    protected Duration expiryPatience() {
        return expiring().failoverBound().plusSeconds(20);
    }

    /** Of the clock that the service runs by. */
    protected long nanos() {
        return System.nanoTime();
    }

    /** Asks again and again, while that clock goes on, until the answer will do. */
    protected <T> T until(Supplier<T> question, Predicate<T> good) {
        return await().pollInterval(Duration.ofMillis(100))
                .atMost(expiryPatience())
                .until(question::get, good);
    }

    /** Called when all sessions of a test were ended, which needs open clients. */
    protected void closeClients() {}

    @AfterEach
    void endSessions() {
        opened.forEach(session -> Answers.of(session::destroy));
        closeClients();
    }

    LeaseSession open() {
        return open(backend(), lasting(), "first-node");
    }

    LeaseSession openElsewhere() {
        return open(secondClient(), lasting(), "second-node");
    }

    LeaseSession open(LeaseBackend client, LeaseSettings settings, String holder) {
        LeaseSession session = Answers.of(() -> client.openSession(settings, holder));
        opened.add(session);
        return session;
    }

    Acquisition acquire(LeaseSession session, String nonce) {
        return Answers.of(() -> session.acquire(lease, nonce));
    }

    Acquired acquired(LeaseSession session, String nonce) {
        Acquisition answer = acquire(session, nonce);
        assertThat(answer).isInstanceOf(Acquired.class);
        return (Acquired) answer;
    }

    Acquired acquiredInTime(LeaseSession session, String nonce) {
        return (Acquired) until(() -> acquire(session, nonce), Acquired.class::isInstance);
    }

    Optional<Tenure> published() {
        return Answers.of(() -> secondClient().published(lease, Duration.ofSeconds(2)));
    }

    Publication publish(LeaseSession session, Acquired tenure, String nonce) {
        return Answers.of(() -> session.publish(new Tenure(lease, tenure.token(), nonce), tenure.revision()));
    }

    long openGeneration(long highest) {
        return Answers.of(
                () -> secondClient().openGeneration(lease, highest, lasting().attemptLimit()));
    }

    Release release(LeaseSession session, Acquired tenure) {
        return Answers.of(() -> session.release(lease, tenure.revision()));
    }

    Holding holding(LeaseSession session) {
        return Answers.of(() -> session.read(List.of(lease))).get(lease);
    }

    private static LeaseSettings settings(Duration ttl) {
        return LeaseSettings.builder("*")
                .ttl(ttl)
                .renewalInterval(Duration.ofMillis(200))
                .attemptLimit(Duration.ofSeconds(2))
                .lossStopTimeout(ttl.dividedBy(50))
                .lockDelay(Duration.ofMillis(2200).plus(ttl.dividedBy(50)))
                .build();
    }

    static LeaseName fresh() {
        return new LeaseName("contract-" + UUID.randomUUID());
    }

    protected final Duration since(long nanos) {
        return Duration.ofNanos(nanos() - nanos);
    }
}
