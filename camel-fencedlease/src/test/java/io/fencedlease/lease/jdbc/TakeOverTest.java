package io.fencedlease.lease.jdbc;

import static io.fencedlease.lease.jdbc.Node.TTL_30S;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A holder that does not renew is taken over by the candidates' own clocks; no test here waits. */
class TakeOverTest {

    private static final Duration TTL = TTL_30S.ttl();
    private static final Duration LOCK_DELAY = TTL_30S.lockDelay();
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final DataSource database = JdbcH2ContractTest.inMemory();
    private final Node holder = new Node(database, "holder");
    private final Node candidate = new Node(database, "candidate");

    @AfterEach
    void close() {
        holder.close();
        candidate.close();
    }

    @Test
    void aPausedHolderIsTakenOverAfterTtlAndLockDelayOfTheCandidatesClock() {
        long before = holder.token("h1");
        assertThat(candidate.look()).isInstanceOf(Holding.Held.class);

        candidate.clock.advance(TTL.minus(MOMENT));
        assertThat(candidate.look()).isInstanceOf(Holding.Held.class);
        candidate.clock.advance(MOMENT);
        assertThat(candidate.look()).isEqualTo(new Holding.Free());
        assertThat(candidate.acquire("c1")).isEqualTo(new Acquisition.LockDelayed());
        candidate.clock.advance(LOCK_DELAY.minus(MOMENT));
        assertThat(candidate.acquire("c1")).isEqualTo(new Acquisition.LockDelayed());
        candidate.clock.advance(MOMENT);

        assertThat(candidate.token("c1")).isGreaterThan(before);
    }

    @Test
    void acquireAloneObservesAsWellAsReadDoes() {
        holder.token("h1");
        assertThat(candidate.acquire("c1")).isEqualTo(new Acquisition.HeldElsewhere("holder"));
        candidate.clock.advance(TTL);
        assertThat(candidate.acquire("c1")).isEqualTo(new Acquisition.LockDelayed());
        candidate.clock.advance(LOCK_DELAY);

        assertThat(candidate.acquire("c1")).isInstanceOf(Acquisition.Acquired.class);
    }

    @Test
    void everyRenewalRestartsTheCandidatesClock() {
        holder.token("h1");
        for (int i = 0; i < 5; i++) {
            assertThat(candidate.look()).isInstanceOf(Holding.Held.class);
            candidate.clock.advance(TTL);
            assertThat(holder.renew()).isEqualTo(new Renewal.Renewed());
        }
        assertThat(candidate.look()).isInstanceOf(Holding.Held.class);
    }

    @Test
    void theCandidatesClockStartsWhenTheReadIsAnsweredNotWhenItIsAsked() {
        holder.token("h1");
        FakeTicker[] clock = new FakeTicker[1];
        DataSource slow = new DelegatingDataSource(database) {
            @Override
            public java.sql.Connection getConnection() throws java.sql.SQLException {
                if (clock[0] != null) {
                    clock[0].advance(TTL);
                    clock[0] = null;
                    holder.renew();
                }
                return super.getConnection();
            }
        };
        try (Node slowly = new Node(slow, "slowly")) {
            clock[0] = slowly.clock;
            slowly.look();
            slowly.clock.advance(TTL.minus(MOMENT));

            assertThat(slowly.look()).isInstanceOf(Holding.Held.class);
        }
    }

    @Test
    void aLateRenewalAfterTakeOverIsSessionGoneAndSoIsAnAcquisition() {
        holder.token("h1");
        takeOver(candidate);

        assertThat(holder.renew()).isInstanceOf(SessionGone.class);
        assertThat(holder.acquire("h1")).isInstanceOf(SessionGone.class);
        assertThat(holder.acquire("h2")).isInstanceOf(SessionGone.class);
    }

    @Test
    void aRenewalBetweenTheLookAndTheTakeOverSavesTheSession() {
        Tables tables = new Tables(new JdbcTemplate(database), "fencedlease_");
        SessionRow seen = tables.sessions().stream()
                .filter(row -> row.id().equals(holder.session.id()))
                .findFirst()
                .orElseThrow();
        holder.renew();

        assertThat(tables.endUnrenewed(seen)).isFalse();
        assertThat(holder.renew()).isEqualTo(new Renewal.Renewed());
    }

    @Test
    void ofTwoCandidatesOnlyOneTakesOver() {
        holder.token("h1");
        try (Node rival = new Node(database, "rival")) {
            List.of(candidate, rival).forEach(Node::look);
            List.of(candidate, rival).forEach(node -> node.clock.advance(TTL));
            candidate.renew();
            rival.renew();
            List.of(candidate, rival).forEach(Node::look);
            List.of(candidate, rival).forEach(node -> node.clock.advance(LOCK_DELAY));

            assertThat(candidate.acquire("c1")).isInstanceOf(Acquisition.Acquired.class);
            assertThat(rival.acquire("r1")).isEqualTo(new Acquisition.HeldElsewhere("candidate"));
        }
    }

    @Test
    void theReleaseOfATakenOverHolderDoesNotShortenTheLockDelay() {
        long before = holder.token("h1");
        holder.renew();
        new JdbcTemplate(database).update("DELETE FROM fencedlease_session WHERE id = ?", holder.session.id());

        assertThat(holder.release(before)).isEqualTo(Release.DONE);
        assertThat(candidate.acquire("c1")).isEqualTo(new Acquisition.LockDelayed());
    }

    @Test
    void aHolderIsJudgedByItsOwnTtlAndLockDelayNotByTheCandidates() {
        LeaseSettings quick = LeaseSettings.builder("*")
                .ttl(Duration.ofSeconds(5))
                .attemptLimit(Duration.ofSeconds(1))
                .lockDelay(Duration.ofSeconds(3))
                .build();
        holder.token("h1");
        try (Node hasty = new Node(database, "hasty", quick)) {
            hasty.look();
            hasty.clock.advance(TTL.minus(MOMENT));
            assertThat(hasty.look()).isInstanceOf(Holding.Held.class);
            hasty.clock.advance(MOMENT);
            assertThat(hasty.look()).isEqualTo(new Holding.Free());
            hasty.clock.advance(LOCK_DELAY.minus(MOMENT));
            assertThat(hasty.acquire("q1")).isEqualTo(new Acquisition.LockDelayed());
            hasty.clock.advance(MOMENT);
            assertThat(hasty.acquire("q1")).isInstanceOf(Acquisition.Acquired.class);
        }
    }

    @Test
    void aLateAcquisitionDoesNotOverwriteAnothersTenure() throws InterruptedException {
        PausingDataSource pausing = new PausingDataSource(database, "UPDATE fencedlease_lease");
        try (Node late = new Node(pausing, "late")) {
            pausing.arm();
            CompletableFuture<Acquisition> answer =
                    late.session.acquire(Node.LEASE, "l1").toCompletableFuture();
            pausing.awaitPause();
            candidate.token("c1");
            pausing.resume();

            assertThat(answer.join()).isEqualTo(new Acquisition.HeldElsewhere("candidate"));
        }
    }

    @Test
    void aLateAcquisitionDrawsANewTokenIfAnotherTenureCameInBetween() throws InterruptedException {
        PausingDataSource pausing = new PausingDataSource(database, "UPDATE fencedlease_lease");
        try (Node late = new Node(pausing, "late")) {
            pausing.arm();
            CompletableFuture<Acquisition> answer =
                    late.session.acquire(Node.LEASE, "l1").toCompletableFuture();
            pausing.awaitPause();
            long between = candidate.token("c1");
            candidate.release(between);
            pausing.resume();

            assertThat(((Acquisition.Acquired) answer.join()).token().value()).isGreaterThan(between);
        }
    }

    @Test
    void theRowOfACrashedCandidateIsRemovedByTheOthers() {
        candidate.look();
        candidate.clock.advance(TTL);
        candidate.look();

        assertThat(new JdbcTemplate(database).queryForList("SELECT id FROM fencedlease_session", String.class))
                .containsExactly(candidate.session.id());
    }

    private static void takeOver(Node node) {
        node.look();
        node.clock.advance(TTL);
        node.look();
        node.clock.advance(LOCK_DELAY);
        assertThat(node.acquire("taken")).isInstanceOf(Acquisition.Acquired.class);
    }
}
