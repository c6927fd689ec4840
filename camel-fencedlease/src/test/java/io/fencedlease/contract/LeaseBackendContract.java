package io.fencedlease.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Publication.Published;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link LeaseBackend} must answer. A new backend is a subclass of some 25 lines that passes this suite.
 *
 * <p>Real time and a real service, or a simulated one in its own time. {@link SinsTest} shows that each of the tests can fail.
 */
public abstract class LeaseBackendContract extends ContractBench {

    @Test
    void theFirstAcquireAnswersAPositiveToken() {
        assertThat(acquired(open(), "n1").token().value()).isPositive();
    }

    @Test
    void theSameNonceRepeatsTokenAndRevision() {
        LeaseSession session = open();
        Acquired first = acquired(session, "n1");

        assertThat(acquired(session, "n1")).isEqualTo(first);
    }

    @Test
    void anotherNonceOfTheSameSessionAnswersAHigherToken() {
        LeaseSession session = open();
        Acquired first = acquired(session, "n1");
        Acquired second = acquired(session, "n2");

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(holding(session)).isEqualTo(new Holding.Held(session.id(), second.revision(), "n2", "first-node"));
    }

    @Test
    void aLeaseHeldElsewhereNamesItsHolder() {
        acquired(open(), "n1");

        assertThat(acquire(openElsewhere(), "n2")).isEqualTo(new Acquisition.HeldElsewhere("first-node"));
    }

    @Test
    void aPublishedTenureMayBePublishedAgain() {
        LeaseSession session = open();
        Acquired tenure = acquired(session, "n1");

        assertThat(publish(session, tenure, "n1")).isInstanceOf(Published.class);
        assertThat(publish(session, tenure, "n1")).isEqualTo(new Published(false));
    }

    @Test
    void onlyTheTenureThatHoldsTheLeaseIsPublished() {
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        Acquired old = acquired(first, "n1");
        Acquired next = acquired(first, "n2");
        assertThat(publish(first, old, "n1")).isEqualTo(new Publication.NotHeld());

        release(first, next);
        assertThat(publish(first, next, "n2")).isEqualTo(new Publication.NotHeld());

        Acquired anothers = acquired(second, "n3");
        assertThat(publish(first, anothers, "n3")).isEqualTo(new Publication.NotHeld());
        assertThat(publish(second, anothers, "n3")).isInstanceOf(Published.class);
        assertThat(publish(first, next, "n2")).isNotInstanceOf(Published.class);
    }

    @Test
    void whoWasPublishedLastIsToldToAnyoneAlsoAfterItsEnd() {
        assertThat(published()).isEmpty();
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        Acquired one = acquired(first, "n1");
        publish(first, one, "n1");
        assertThat(published()).contains(new Tenure(lease, one.token(), "n1"));
        release(first, one);
        assertThat(published()).contains(new Tenure(lease, one.token(), "n1"));

        Acquired next = acquired(second, "n2");
        publish(second, next, "n2");
        assertThat(published()).contains(new Tenure(lease, next.token(), "n2"));
    }

    @Test
    void anOpenedGenerationMakesTheNextTokenHigherThanWhatIsKnown() {
        long before = openGeneration(5_000_000);

        LeaseSession session = open();
        Acquired first = acquired(session, "n1");
        assertThat(first.token().value()).isGreaterThan(before).isGreaterThan(5_000_000);
        publish(session, first, "n1");
        release(session, first);

        long opened = openGeneration(0);
        Acquired next = acquired(session, "n2");
        assertThat(next.token().value())
                .isGreaterThan(opened)
                .isGreaterThan(first.token().value() + 1_000);
    }

    @Test
    void anOpenedGenerationTouchesNoTenure() {
        LeaseSession session = open();
        Acquired tenure = acquired(session, "n1");
        Holding before = holding(session);

        openGeneration(tenure.token().value());

        assertThat(holding(session)).isEqualTo(before);
        assertThat(publish(session, tenure, "n1")).isInstanceOf(Published.class);
    }

    @Test
    void aGenerationIsNeverLowered() {
        long high = openGeneration(50_000_000);

        assertThat(openGeneration(1_000)).isGreaterThanOrEqualTo(high);
        assertThat(acquired(open(), "n1").token().value()).isGreaterThan(high);
    }

    @Test
    void aGenerationBeyondExactNumbersIsRefused() {
        for (long mark : new long[] {1L << 53, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> openGeneration(mark)).isInstanceOf(BackendRefusedException.class);
        }
        assertThat(acquired(open(), "n1").token().value()).isLessThan(1L << 53);
    }

    @Test
    void aReleaseFreesAtOnceAndTheNextTokenIsHigher() {
        LeaseSession first = open();
        Acquired before = acquired(first, "n1");

        assertThat(release(first, before)).isEqualTo(Release.DONE);
        assertThat(acquired(openElsewhere(), "n2").token()).isGreaterThan(before.token());
    }

    @Test
    void aReleaseOfAnOldRevisionDoesNotFreeTheSameSessionsNextTenure() {
        LeaseSession session = open();
        Acquired old = acquired(session, "n1");
        Acquired next = acquired(session, "n2");

        assertThat(release(session, old)).isEqualTo(Release.MOVED);
        assertThat(acquired(session, "n2")).isEqualTo(next);
        assertThat(acquire(openElsewhere(), "n3")).isInstanceOf(Acquisition.HeldElsewhere.class);
    }

    @Test
    void aLateReleaseNeverFreesTheNextHoldersTenure() {
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        Acquired old = acquired(first, "n1");
        release(first, old);
        Acquired next = acquired(second, "n2");

        release(first, old);

        assertThat(holding(first)).isEqualTo(new Holding.Held(second.id(), next.revision(), "n2", "second-node"));
    }

    @Test
    void aReadTellsOursAnothersAndFreeAndHasEveryLeaseAsked() {
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        LeaseName anothers = fresh();
        LeaseName released = fresh();
        LeaseName unknown = fresh();
        Acquired ours = acquired(first, "n1");
        Acquired theirs = (Acquired) Answers.of(() -> second.acquire(anothers, "n2"));
        Acquired gone = (Acquired) Answers.of(() -> first.acquire(released, "n3"));
        Answers.of(() -> first.release(released, gone.revision()));

        assertThat(Answers.of(() -> first.read(List.of(lease, anothers, released, unknown))))
                .isEqualTo(Map.of(
                        lease, new Holding.Held(first.id(), ours.revision(), "n1", "first-node"),
                        anothers, new Holding.Held(second.id(), theirs.revision(), "n2", "second-node"),
                        released, new Holding.Free(),
                        unknown, new Holding.Free()));
    }

    @Test
    void aSessionEndedFromOutsideIsGoneForRenewalAndAcquisition() throws Exception {
        LeaseSession session = open();
        acquired(session, "n1");

        endFromOutside(session.id());

        assertThat(Answers.of(session::renew)).isInstanceOf(SessionGone.class);
        assertThat(acquire(session, "n1")).isInstanceOf(SessionGone.class);
        assertThat(Answers.of(() -> session.acquire(fresh(), "n2"))).isInstanceOf(SessionGone.class);
    }

    @Test
    void theLeasesOfAnEndedSessionAreLockDelayedThenAcquirableWithAHigherToken() throws Exception {
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        Acquired before = acquired(first, "n1");
        long ended = nanos();
        endFromOutside(first.id());

        assertThat(acquire(second, "n2")).isEqualTo(new Acquisition.LockDelayed());
        assertThat(holding(second)).isEqualTo(new Holding.Free());
        assertThat(acquiredInTime(second, "n2").token()).isGreaterThan(before.token());
        assertThat(since(ended)).isGreaterThanOrEqualTo(lasting().lockDelay());
    }

    @Test
    void destroyIsIdempotentAndEndsTheSession() {
        LeaseSession session = open();
        acquired(session, "n1");

        Answers.of(session::destroy);
        Answers.of(session::destroy);

        assertThat(Answers.of(session::renew)).isInstanceOf(SessionGone.class);
        assertThat(acquire(openElsewhere(), "n2")).isEqualTo(new Acquisition.LockDelayed());
    }

    @Test
    void anUnrenewedSessionExpiresButNotBeforeItsTtl() {
        LeaseSession first = open(backend(), expiring(), "first-node");
        LeaseSession second = openElsewhere();
        Acquired before = acquired(first, "n1");
        long renewed = nanos();
        assertThat(Answers.of(first::renew)).isEqualTo(new Renewal.Renewed());

        Acquired next = acquiredInTime(second, "n2");

        assertThat(since(renewed))
                .isGreaterThanOrEqualTo(expiring().ttl().plus(expiring().lockDelay()));
        assertThat(next.token()).isGreaterThan(before.token());
        assertThat(Answers.of(first::renew)).isInstanceOf(SessionGone.class);
        assertThat(acquire(first, "n3")).isInstanceOf(SessionGone.class);
    }

    @Test
    void aRenewedSessionKeepsItsLeasesBeyondItsTtl() {
        LeaseSession first = open(backend(), expiring(), "first-node");
        LeaseSession second = openElsewhere();
        Acquired ours = acquired(first, "n1");
        long start = nanos();

        until(
                () -> {
                    assertThat(Answers.of(first::renew)).isEqualTo(new Renewal.Renewed());
                    assertThat(acquire(second, "n2")).isInstanceOf(Acquisition.HeldElsewhere.class);
                    return since(start);
                },
                passed -> passed.compareTo(expiring().ttl().multipliedBy(3)) > 0);
        assertThat(acquired(first, "n1")).isEqualTo(ours);
    }

    @Test
    void tokensStrictlyRiseOverReleaseAndDestruction() {
        LeaseSession first = open();
        LeaseSession second = openElsewhere();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (LeaseSession session : List.of(first, second)) {
                Acquired tenure = acquired(session, "n" + tokens.size());
                tokens.add(tenure.token().value());
                release(session, tenure);
            }
        }
        tokens.add(acquired(first, "last").token().value());
        Answers.of(first::destroy);
        tokens.add(acquiredInTime(second, "heir").token().value());

        assertThat(tokens).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void oneSessionCarriesAHundredLeases() {
        LeaseSession session = open();
        List<LeaseName> leases = IntStream.range(0, 100).mapToObj(i -> fresh()).toList();
        leases.forEach(name ->
                assertThat(Answers.of(() -> session.acquire(name, "n1"))).isInstanceOf(Acquired.class));

        assertThat(Answers.of(() -> session.read(leases))).hasSize(100).allSatisfy((name, holding) -> assertThat(
                        holding)
                .isInstanceOfSatisfying(
                        Holding.Held.class, held -> assertThat(held.session()).isEqualTo(session.id())));
    }

    @Test
    void ofEightCandidatesExactlyOneAcquires() {
        List<LeaseSession> candidates = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            candidates.add(open());
            candidates.add(openElsewhere());
        }
        ExecutorService threads = Executors.newFixedThreadPool(candidates.size());
        try {
            List<CompletableFuture<Acquisition>> answers = candidates.stream()
                    .map(candidate -> CompletableFuture.supplyAsync(() -> acquire(candidate, candidate.id()), threads))
                    .toList();
            assertThat(answers.stream().map(CompletableFuture::join))
                    .hasSize(8)
                    .filteredOn(Acquired.class::isInstance)
                    .hasSize(1);
        } finally {
            threads.shutdown();
        }
    }
}
