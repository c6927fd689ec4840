package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.Holding.Held;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal.Renewed;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is special about Consul, beyond the contract: its entries, its oddities, other people in its key space. */
@NeedsConsul
class ConsulBackendIT extends ConsulBench {

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
        admin = consul.admin();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @Test
    void theStoredSessionHasNoChecksAndTheTimesAskedFor() {
        JsonNode stored = admin.session(session(consul.url()).id()).orElseThrow();

        assertThat(stored.get("NodeChecks")).isEmpty();
        assertThat(stored.path("ServiceChecks")).isEmpty();
        assertThat(stored.get("TTL").asText()).isEqualTo("60000ms");
        assertThat(stored.get("LockDelay").asLong()).isEqualTo(13_000_000_000L);
        assertThat(stored.get("Behavior").asText()).isEqualTo("release");
        assertThat(stored.get("Name").asText()).isEqualTo("some-node");
    }

    @Test
    void nodeHealthIsBoundByChoice() {
        ConsulBackend client = client(ConsulSettings.builder()
                .address(consul.url().toString())
                .nodeCheck("serfHealth")
                .build());

        JsonNode stored = admin.session(session(client).id()).orElseThrow();
        assertThat(stored.get("NodeChecks").get(0).asText()).isEqualTo("serfHealth");
    }

    // T74: vitessio/vitess#8297
    @Test
    void aServiceCheckThatFailsEndsTheSessionLongBeforeItsTtl() {
        String check = "alive-" + lease;
        admin.registerService("app-" + lease, check, 2);
        LeaseSession session = session(client(ConsulSettings.builder()
                .address(consul.url().toString())
                .serviceCheck(check)
                .build()));
        acquired(session, "n1");

        await().atMost(times().ttl().dividedBy(2)).until(() -> Answers.of(session::renew) instanceof SessionGone);
        assertThat(admin.entry(leaseKey()).orElseThrow().has("Session")).isFalse();
    }

    @Test
    void anUnknownCheckIsRefusedByName() {
        ConsulBackend client = client(ConsulSettings.builder()
                .address(consul.url().toString())
                .serviceCheck("service:nope")
                .build());

        assertThatThrownBy(() -> session(client))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("service:nope");
    }

    @Test
    void aSessionThatIsNotStoredAsAskedIsFoundOut() {
        LeaseSession session = session(consul.url());
        JsonNode stored = admin.session(session.id()).orElseThrow();
        ConsulSettings withHealth = ConsulSettings.builder()
                .address(consul.url().toString())
                .nodeCheck("serfHealth")
                .build();
        ConsulSettings plain =
                ConsulSettings.builder().address(consul.url().toString()).build();
        LeaseSettings longer =
                LeaseSettings.builder("*").ttl(Duration.ofSeconds(61)).build();

        assertThat(new SessionRequest(times(), plain, "n").difference(stored)).isEmpty();
        assertThat(new SessionRequest(times(), withHealth, "n").difference(stored))
                .hasValueSatisfying(text -> assertThat(text).contains("NodeChecks"));
        assertThat(new SessionRequest(longer, plain, "n").difference(stored))
                .hasValueSatisfying(text -> assertThat(text).contains("TTL"));
    }

    @Test
    void theTokenIsTheLocksIndexPlusTheGenerationsOffset() {
        admin.put("fencedlease/generation/" + lease, "5000000000");

        Acquired tenure = acquired(session(consul.url()), "n1");

        JsonNode entry = admin.entry(leaseKey()).orElseThrow();
        assertThat(tenure.revision()).isEqualTo(entry.get("ModifyIndex").asLong());
        assertThat(tenure.token().value()).isEqualTo(5_000_000_000L + tenure.revision());
    }

    @Test
    void theFirstAcquireOpensTheGenerationAtZero() {
        Acquired tenure = acquired(session(consul.url()), "n1");

        assertThat(tenure.token().value()).isEqualTo(tenure.revision());
        assertThat(ConsulJson.valueOf(
                        admin.entry("fencedlease/generation/" + lease).orElseThrow()))
                .isEqualTo("0");
    }

    @Test
    void theLockSaysWhoHoldsItAlsoAfterARelease() {
        LeaseSession session = session(consul.url());
        Acquired tenure = acquired(session, "n1");
        assertThat(LockValue.of(admin.entry(leaseKey()).orElseThrow())).isEqualTo(new LockValue("n1", "some-node"));

        release(session, tenure);

        JsonNode entry = admin.entry(leaseKey()).orElseThrow();
        assertThat(LockValue.of(entry)).isEqualTo(new LockValue("n1", "some-node"));
        assertThat(entry.has("Session")).isFalse();
    }

    /** Unlike M5 of a naive client: the holder learns it, though its session lives. */
    @Test
    void aDeletedKeyReadsAsFreeWhileTheSessionLives() {
        LeaseSession session = session(consul.url());
        Acquired tenure = acquired(session, "n1");

        admin.deleteKey(leaseKey());

        assertThat(holding(session)).isEqualTo(new Holding.Free());
        assertThat(Answers.of(session::renew)).isEqualTo(new Renewed());
        assertThat(release(session, tenure)).isEqualTo(Release.DONE);
        assertThat(acquired(session(consul.url()), "n2").token()).isGreaterThan(tenure.token());
    }

    // T56: redisson#6510
    @Test
    void keysOfALeaseNobodyUsesMayBePurgedAndItsTokensGoOn() {
        LeaseSession session = session(consul.url());
        Acquired before = acquired(session, "n1");
        release(session, before);

        admin.deleteKey(leaseKey());
        admin.deleteKey("fencedlease/generation/" + lease);

        assertThat(acquired(session, "n2").token()).isGreaterThan(before.token());
    }

    @Test
    void aStrangersWriteMovesTheRevisionAndHidesTheNonce() {
        LeaseSession session = session(consul.url());
        Acquired tenure = acquired(session, "n1");

        admin.put(leaseKey(), "not json");

        Held held = (Held) holding(session);
        assertThat(held.session()).isEqualTo(session.id());
        assertThat(held.revision()).isGreaterThan(tenure.revision());
        assertThat(held.nonce()).isEmpty();
        assertThat(release(session, tenure)).isEqualTo(Release.MOVED);
        assertThat(Answers.of(() -> session.release(lease, held.revision()))).isEqualTo(Release.DONE);
        assertThat(holding(session)).isEqualTo(new Holding.Free());
    }

    /** The key is shut by the death of the very session that asks: Consul answers as if somebody else were meant. */
    @Test
    void aDeadSessionIsToldAlsoInsideItsOwnLockDelay() {
        LeaseSession session = session(consul.url());
        acquired(session, "n1");
        admin.destroySession(session.id());

        assertThat(acquire(session, "n2")).isInstanceOf(SessionGone.class);
        assertThat(acquire(session(consul.url()), "n3")).isEqualTo(new Acquisition.LockDelayed());
    }

    /** A request that its sender gave up is executed when the server wakes; it must find nothing to free. */
    @Test
    void aReleaseInAFrozenServerNeverFreesTheNextTenure() {
        LeaseSession session = session(consul.url());
        LeaseSession other = session(consul.url());
        Acquired old = acquired(session, "n1");

        consul.freeze();
        assertThatThrownBy(() -> Answers.once(session.release(lease, old.revision())))
                .isInstanceOf(BackendUnavailableException.class);
        CompletionStage<Acquisition> next = session.acquire(lease, "n2");
        consul.thaw();

        Acquisition answer;
        try {
            answer = Answers.once(next);
        } catch (BackendUnavailableException slow) {
            answer = acquire(session, "n2");
        }
        assertThat(((Acquired) answer).token()).isGreaterThan(old.token());
        Held ours = new Held(session.id(), ((Acquired) answer).revision(), "n2", "some-node");
        await().during(Duration.ofSeconds(1))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(holding(other)).isEqualTo(ours));
        assertThat(acquire(other, "n3")).isInstanceOf(Acquisition.HeldElsewhere.class);
    }

    @Test
    void manyLeasesAreReadByTheFolderAndTheAbsentOnesByTheirKeys() {
        LeaseSession session = session(consul.url());
        List<LeaseName> leases = IntStream.range(0, 300)
                .mapToObj(i -> new LeaseName(lease + "." + i))
                .toList();
        LeaseName first = leases.get(0);
        LeaseName last = leases.get(299);
        Acquired one = (Acquired) Answers.of(() -> session.acquire(first, "n1"));
        Acquired two = (Acquired) Answers.of(() -> session.acquire(last, "n2"));

        Map<LeaseName, Holding> holdings = Answers.of(() -> session.read(leases));

        assertThat(holdings).containsOnlyKeys(leases);
        assertThat(holdings.get(first)).isEqualTo(new Held(session.id(), one.revision(), "n1", "some-node"));
        assertThat(holdings.get(last)).isEqualTo(new Held(session.id(), two.revision(), "n2", "some-node"));
        assertThat(holdings.values()).filteredOn(Holding.Free.class::isInstance).hasSize(298);
    }

    @Test
    void anotherPrefixIsAnotherLease() {
        ConsulBackend elsewhere = client(ConsulSettings.builder()
                .address(consul.url().toString())
                .keyPrefix("team-1/leases.x")
                .build());
        acquired(session(consul.url()), "n1");

        acquired(session(elsewhere), "n2");
        assertThat(admin.entry("team-1/leases.x/leases/" + lease)).isPresent();
    }
}
