package io.fencedlease.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.FenceContract;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.consul.KvEntry;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: the fence of Consul's keys keeps the contract. Method: a real Consul, a lease held by hand. T85 of the cases. */
@NeedsConsul
class ConsulFenceIT extends FenceContract {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static ConsulProcess consul;

    private final LeaseByHand lease = new LeaseByHand(consul.url());
    private final ConsulFence here = new ConsulFence(LEASE, lease.backend, LIMIT);
    private final ConsulFence there = new ConsulFence(LEASE, lease.backend, LIMIT);
    private final String data = "data-" + UUID.randomUUID() + "/";

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @AfterEach
    void endLease() {
        lease.close();
    }

    private record Raising(LeaseByHand lease, ConsulFence fence) implements Fence {
        @Override
        public String resource() {
            return fence.resource();
        }

        @Override
        public void raise(Tenure tenure) throws RaiseRefusedException {
            lease.raise(fence, tenure);
        }

        @Override
        public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
            return fence.guard(tenure, write);
        }
    }

    @Override
    protected Fence fence() {
        return new Raising(lease, here);
    }

    @Override
    protected Fence elsewhere() {
        return new Raising(lease, there);
    }

    @Override
    protected Callable<Void> write(String what) {
        return () -> {
            ConsulFence.stage(KvOperation.set(data + what, "", 0));
            return null;
        };
    }

    @Override
    protected List<String> written() {
        return ConsulFence.await(lease.backend.transactions(LIMIT).below(data)).stream()
                .map(KvEntry::key)
                .map(key -> key.substring(data.length()))
                .toList();
    }

    @Override
    protected Duration raiseTimeout() {
        return Duration.ofSeconds(5);
    }

    @Test
    void aHolderWhoseSessionWasDestroyedWritesNothing() throws Exception {
        fence().raise(tenure(7));
        consul.admin().destroySession(lease.session());

        assertThatThrownBy(() -> here.guard(tenure(7), write("late")))
                .isInstanceOf(FencedOutException.class)
                .hasMessageContaining("has not the lock");
        assertThat(written()).isEmpty();
    }

    /** A8 of the protocol: the session is the same, only the mark tells. */
    @Test
    void anEarlierTenureOfTheSameSessionWritesNothing() throws Exception {
        fence().raise(tenure(7));
        String session = lease.session();
        elsewhere().raise(tenure(9));

        assertThat(lease.session()).isEqualTo(session);
        assertThatThrownBy(() -> new KvWrites(here).put(tenure(7), data + "late", "", 0))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void whatIsNoMarkFencesOutAndShowsNoNonce() throws Exception {
        fence().raise(tenure(7));
        consul.admin().put(lease.markKey(), "{\"token\":\"eight\",\"nonce\":\"another secret\"}");

        assertThatThrownBy(() -> new KvWrites(here).put(tenure(7), data + "late", "", 0))
                .isInstanceOf(FencedOutException.class)
                .hasMessageContaining("cannot be read now")
                .hasMessageContaining("what is no mark")
                .hasMessageNotContaining("another secret");
        assertThatThrownBy(() -> here.raise(tenure(7))).hasMessageNotContaining("another secret");
        assertThat(written()).isEmpty();
    }

    @Test
    void aTenureThatIsNotPublishedIsNotRaised() {
        assertThatThrownBy(() -> here.raise(tenure(7))).isInstanceOf(FenceUnavailableException.class);
    }

    @Test
    void aTenureWhoseLockIsTheNextOnesByNowIsNotRaisedAgain() throws Exception {
        fence().raise(tenure(7));
        lease.lock(tenure(9));

        assertThatThrownBy(() -> here.raise(tenure(7))).isInstanceOf(FenceUnavailableException.class);
    }

    /** C7 of the protocol: what the pages call void, and until when. */
    @Test
    void aRestoredSnapshotRevivesAnEarlierTenureUntilTheNextOneIsRaised() throws Exception {
        fence().raise(tenure(7));
        byte[] old = consul.admin().snapshot();
        elsewhere().raise(tenure(9));
        assertThatThrownBy(() -> new KvWrites(here).put(tenure(7), data + "stale", "", 0))
                .isInstanceOf(FencedOutException.class);

        consul.admin().restore(old);
        new KvWrites(here).put(tenure(7), data + "revived", "", 0);
        assertThat(written()).containsExactly("revived");

        consul.admin().deleteKey(lease.backend.settings().keyPrefix() + "/leases/" + LEASE);
        elsewhere().raise(tenure(11));
        assertThatThrownBy(() -> new KvWrites(here).put(tenure(7), data + "late", "", 0))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).containsExactly("revived");
    }

    @Test
    void severalWritesTakeEffectTogetherOrNotAtAll() throws Exception {
        fence().raise(tenure(7));
        new KvWrites(here).put(tenure(7), data + "old", "", 0);
        List<KvOperation> both =
                List.of(KvOperation.set(data + "one", "", 0), KvOperation.setIf(data + "old", "must not exist", 0, 0));

        assertThat(here.commit(tenure(7), both)).isFalse();
        assertThat(written()).containsExactly("old");
        assertThat(here.commit(tenure(7), List.of(both.get(0), KvOperation.delete(data + "old"))))
                .isTrue();
        assertThat(written()).containsExactly("one");
        new KvWrites(here).deleteTree(tenure(7), data);
        assertThat(written()).isEmpty();
    }

    @Test
    void anAgentThatDoesNotAnswerIsNeverTakenForFencedOut() throws Exception {
        ConsulFence hasty = new ConsulFence(LEASE, lease.backend, Duration.ofMillis(300));
        lease.raise(new Raising(lease, hasty), tenure(7));
        consul.freeze();
        try {
            assertThatThrownBy(() -> new KvWrites(hasty).put(tenure(7), data + "x", "", 0))
                    .isInstanceOf(BackendUnavailableException.class);
            assertThatThrownBy(() -> hasty.raise(tenure(7))).isInstanceOf(FenceUnavailableException.class);
        } finally {
            consul.thaw();
        }
        here.raise(tenure(7));
        new KvWrites(here).put(tenure(7), data + "y", "", 0);
        assertThat(written()).contains("y");
    }
}
