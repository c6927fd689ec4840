package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.VirtualTime;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Renewal.Renewed;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the backend makes of answers that mislead, in virtual time: evidence of nothing is taken for nothing. */
class ConsulBackendTest {

    private static final LeaseName LEASE = new LeaseName("closer");
    private static final String KEY = "fencedlease/leases/closer";
    private static final Duration PAST_THE_LIMIT = ConsulBench.ATTEMPT_LIMIT.plusSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedConsul consul = new SimulatedConsul(time, time, 7);
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final LeaseSession a = session("a", "");
    private final LeaseSession b = session("b", "");

    private LeaseSession session(String name, String token) {
        return Answers.once(consul.client(
                        name, token, new AtOnce(time), (client, request) -> fates.isEmpty() ? Fate.PROMPT : fates.pop())
                .openSession(ConsulBench.times(), name));
    }

    private static Acquisition acquire(LeaseSession session, String nonce) {
        return Answers.once(session.acquire(LEASE, nonce));
    }

    /** The next exchange meets this fate; what became of the call once its limit was over. */
    private <T> CompletableFuture<T> meeting(Fate fate, Supplier<CompletionStage<T>> call) {
        fates.add(fate);
        CompletableFuture<T> outcome = call.get().toCompletableFuture();
        time.advance(PAST_THE_LIMIT);
        return outcome;
    }

    private static void isUnknown(CompletableFuture<?> outcome) {
        assertThat(outcome).isCompletedExceptionally();
        assertThatThrownBy(() -> Answers.once(outcome)).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void aRefusalInsideLockDelayDoesNotProveThatTheSessionLives() {
        acquire(a, "n1");
        consul.endSession(a.id());

        assertThat(acquire(a, "n1")).isInstanceOf(SessionGone.class);
        assertThat(acquire(b, "n2")).isEqualTo(new Acquisition.LockDelayed());
    }

    @Test
    void a404ThatDoesNotNameTheSessionIsNoLoss() {
        isUnknown(meeting(Fate.turnedAway(Duration.ZERO, 404, ""), a::renew));
        assertThat(Answers.once(a.renew())).isEqualTo(new Renewed());
    }

    @Test
    void whatAnAgentSaysThatCannotKnowIsUnknown() {
        acquire(a, "n1");
        for (Fate fate : List.of(
                Fate.turnedAway(Duration.ZERO, 429, ""),
                Fate.turnedAway(Duration.ZERO, 500, "rpc error making call: EOF"),
                Fate.turnedAway(Duration.ZERO, 500, "No cluster leader"),
                Fate.connectionRefused(),
                Fate.requestLost(),
                Fate.answerLost(Duration.ZERO),
                Fate.delayed(Duration.ofSeconds(30), Duration.ZERO))) {
            isUnknown(meeting(fate, a::renew));
            isUnknown(meeting(fate, () -> a.read(List.of(LEASE))));
        }
        assertThat(acquire(a, "n1")).isInstanceOf(Acquired.class);
    }

    @Test
    void anAcquireWhoseAnswerWasLostIsRepeatedUnderTheSameToken() {
        acquire(a, "n0");
        isUnknown(meeting(Fate.answerLost(Duration.ZERO), () -> a.acquire(LEASE, "n1")));
        long index = consul.modifyIndex(KEY).orElseThrow();

        assertThat(acquire(a, "n1")).isInstanceOfSatisfying(Acquired.class, found -> assertThat(found.revision())
                .isEqualTo(index));
    }

    @Test
    void anAcquireThatFailsAfterItWasProposedMayLandLater() {
        acquire(a, "n0");
        Answers.once(a.release(LEASE, consul.modifyIndex(KEY).orElseThrow()));
        consul.loseQuorum();
        isUnknown(meeting(Fate.PROMPT, () -> a.acquire(LEASE, "n1")));
        assertThat(consul.holderOf(KEY)).isEmpty();

        consul.elect(LockDelays.KEPT);
        assertThat(consul.holderOf(KEY)).isEqualTo(a.id());
    }

    @Test
    void aRequestThatArrivesTwiceOrLateIsCarriedOutAllTheSame() {
        acquire(a, "n0");
        long before = consul.modifyIndex(KEY).orElseThrow();
        isUnknown(meeting(Fate.delayed(Duration.ofSeconds(20), Duration.ZERO), () -> a.acquire(LEASE, "n1")));
        Answers.once(a.release(LEASE, before));
        time.advance(Duration.ofSeconds(20));
        assertThat(consul.holderOf(KEY)).isEqualTo(a.id());

        long late = consul.modifyIndex(KEY).orElseThrow();
        fates.add(Fate.duplicated(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(5)));
        assertThat(acquire(a, "n2")).isInstanceOf(Acquired.class);
        assertThat(acquire(a, "n3")).isInstanceOf(Acquired.class);
        long last = consul.modifyIndex(KEY).orElseThrow();
        time.advance(Duration.ofSeconds(5));
        assertThat(consul.modifyIndex(KEY).orElseThrow()).isGreaterThan(last).isGreaterThan(late);
    }

    @Test
    void aDeposedLeaderRenewsWhatIsGoneButAReadIsNeverItsOwn() {
        acquire(a, "n1");
        consul.depose("a", LockDelays.KEPT);
        consul.endSession(a.id());
        consul.elect(LockDelays.FORGOTTEN);
        assertThat(acquire(b, "n2")).isInstanceOf(Acquired.class);

        assertThat(Answers.once(a.renew())).isEqualTo(new Renewed());
        for (int i = 0; i < 20; i++) {
            try {
                assertThat(Answers.once(a.read(List.of(LEASE))).get(LEASE))
                        .isInstanceOfSatisfying(Holding.Held.class, held -> assertThat(held.session())
                                .isEqualTo(b.id()));
            } catch (BackendUnavailableException notTheLeader) {
                assertThat(notTheLeader).hasMessageContaining("node is not the leader");
            }
        }
        consul.rejoin("a");
        assertThat(Answers.once(a.renew())).isInstanceOf(SessionGone.class);
    }

    @Test
    void aFolderThatMayNotBeReadIsNotEmpty() {
        List<LeaseName> many =
                IntStream.range(0, 300).mapToObj(i -> new LeaseName("l" + i)).toList();
        consul.denyByDefault();
        consul.grant("t", SimulatedRights.sessions("write").andKeys("fencedlease/", "write"));
        LeaseSession holder = session("c", "t");
        many.forEach(lease -> Answers.once(holder.acquire(lease, "n")));
        assertThat(Answers.once(holder.read(many)).values()).hasSize(300).allMatch(Holding.Held.class::isInstance);

        consul.grant("t", SimulatedRights.sessions("write"));
        assertThatThrownBy(() -> Answers.once(holder.read(many))).isInstanceOf(BackendRefusedException.class);
        assertThatThrownBy(() -> Answers.once(holder.read(many.subList(0, 1))))
                .isInstanceOf(BackendRefusedException.class);
        consul.grant("t", SimulatedRights.sessions("write").andKeys("fencedlease/leases/l7", "read"));
        Map<LeaseName, Holding> some = Answers.once(holder.read(many.subList(5, 9)));
        assertThat(some).containsOnlyKeys(new LeaseName("l7"));
    }

    @Test
    void aSessionThatMayNotBeReadLooksGoneAndIsNot() {
        consul.denyByDefault();
        consul.grant("t", SimulatedRights.sessions("write").andKeys("fencedlease/", "write"));
        LeaseSession session = session("c", "t");
        Answers.once(session.watches().get(1).next());
        consul.grant("t", new SimulatedRights("", Map.of("fencedlease/", "write")));

        CompletableFuture<Void> poll = session.watches().get(1).next().toCompletableFuture();
        time.advance(Duration.ofSeconds(70));
        assertThat(poll).isCompleted();
        consul.grant("t", SimulatedRights.sessions("write").andKeys("fencedlease/", "write"));
        assertThat(Answers.once(session.renew())).isEqualTo(new Renewed());
        assertThat(acquire(session, "n1")).isInstanceOf(Acquired.class);
    }

    @Test
    void theEndOfASessionEndsItsPolls() {
        Answers.once(a.watches().get(1).next());
        CompletableFuture<Void> poll = a.watches().get(1).next().toCompletableFuture();
        assertThat(poll).isNotDone();

        Answers.once(a.destroy());

        assertThat(poll).isCompletedExceptionally();
        isUnknown(a.watches().get(1).next().toCompletableFuture());
    }

    @Test
    void aWatchWhoseIndexIsOfAnotherClusterStartsAnew() {
        acquire(a, "n1");
        SimulatedConsul.Snapshot early = consul.snapshot();
        for (int i = 0; i < 50; i++) {
            consul.overwriteKey(KEY, "" + i);
        }
        CompletableFuture<Void> first = a.watches().get(0).next().toCompletableFuture();
        assertThat(first).isCompleted();
        consul.wipe();
        consul.restore(early);

        // on the old index it sleeps over everything, to the end of its wait
        CompletableFuture<Void> blind = a.watches().get(0).next().toCompletableFuture();
        consul.overwriteKey(KEY, "x");
        assertThat(blind).isNotDone();
        time.advance(Duration.ofSeconds(70));
        assertThat(blind).isCompleted();
        assertThat(a.watches().get(0).next().toCompletableFuture()).isCompleted();
        CompletableFuture<Void> awake = a.watches().get(0).next().toCompletableFuture();
        assertThat(awake).isNotDone();
        consul.deleteKey(KEY);
        assertThat(awake).isCompleted();
    }

    @Test
    void sessionsEndWithinTheRangeThatTheServersChoose() {
        List<Duration> ends = new ArrayList<>();
        consul.expireBetween(1, 2);
        for (int i = 0; i < 50; i++) {
            LeaseSession session = session("c" + i, "");
            long born = time.nanos();
            while (consul.sessions().contains(session.id())) {
                time.advance(Duration.ofMillis(500));
            }
            ends.add(Duration.ofNanos(time.nanos() - born));
        }
        Duration ttl = ConsulBench.times().ttl();
        assertThat(ends)
                .allMatch(end -> end.compareTo(ttl) >= 0
                        && end.compareTo(ttl.multipliedBy(2).plusSeconds(1)) < 0);
        assertThat(ends).anyMatch(end -> end.compareTo(ttl.multipliedBy(5).dividedBy(4)) < 0);
        assertThat(ends).anyMatch(end -> end.compareTo(ttl.multipliedBy(7).dividedBy(4)) > 0);
    }

    @Test
    void anElectionKeepsForgetsOrRestartsLockDelays() {
        acquire(a, "n1");
        consul.endSession(a.id());
        consul.elect(LockDelays.KEPT);
        assertThat(acquire(b, "n2")).isEqualTo(new Acquisition.LockDelayed());
        time.advance(ConsulBench.times().lockDelay());
        assertThat(acquire(b, "n2")).isInstanceOf(Acquired.class);
        Answers.once(b.release(LEASE, consul.modifyIndex(KEY).orElseThrow()));

        consul.elect(LockDelays.RESTARTED);
        assertThat(acquire(b, "n3")).isEqualTo(new Acquisition.LockDelayed());
        consul.elect(LockDelays.FORGOTTEN);
        assertThat(acquire(b, "n3")).isInstanceOf(Acquired.class);
    }
}
