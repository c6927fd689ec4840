package io.fencedlease.fence.consul;

import static io.fencedlease.lease.consul.KvTransactions.Outcome.CONDITION_FAILED;
import static io.fencedlease.lease.consul.KvTransactions.Outcome.FENCED_OUT;
import static io.fencedlease.lease.consul.KvTransactions.Outcome.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.consul.KvStanding;
import io.fencedlease.lease.consul.KvTransactions;
import io.fencedlease.lease.consul.KvTransactions.Look;
import io.fencedlease.lease.consul.KvTransactions.Outcome;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever text Consul refuses a guarded transaction with, it is taken for what it is. Method: each refusal that
 * its operations can meet is brought about at a real Consul; those of missing rights are in {@link ConsulFenceRightsIT}.
 */
@NeedsConsul
class ConsulConflictsIT {

    private static final LeaseName LEASE = new LeaseName("L");
    private static final Tenure SEVEN = new Tenure(LEASE, new FencingToken(7), "seven");

    private static ConsulProcess consul;

    private final LeaseByHand lease = new LeaseByHand(consul.url());
    private final KvTransactions transactions = lease.backend.transactions(Duration.ofSeconds(20));
    private final String data = "data-" + UUID.randomUUID() + "/";
    private KvStanding standing;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @BeforeEach
    void hold() throws Exception {
        ConsulFence fence = new ConsulFence(LEASE, lease.backend, Duration.ofSeconds(20));
        lease.raise(fence, SEVEN);
        standing = Answers.of(() -> transactions.standing(LEASE));
        assertThat(commit(set("old"))).isEqualTo(WRITTEN);
    }

    @AfterEach
    void endLease() {
        lease.close();
    }

    private KvOperation set(String key) {
        return KvOperation.set(data + key, "v", 0);
    }

    private Outcome commit(KvOperation... operations) {
        return Answers.of(() -> transactions.commit(standing, List.of(operations)));
    }

    private Look look(String key) {
        return Answers.of(() -> transactions.look(standing, data + key));
    }

    private void isFencedOut() {
        assertThat(commit(set("late"))).isEqualTo(FENCED_OUT);
        assertThat(commit(set("late"), KvOperation.setIf(data + "old", "", 0, 0)))
                .as("a check that failed counts more than a condition")
                .isEqualTo(FENCED_OUT);
        assertThat(look("old").passed()).isFalse();
        assertThat(look("absent").passed()).isFalse();
        assertThat(consul.admin().keys(data)).containsExactly(data + "old");
    }

    @Test
    void failedSessionCheckSinceTheSessionHasEnded() {
        consul.admin().destroySession(lease.session());
        isFencedOut();
    }

    @Test
    void failedSessionCheckSinceTheLockIsAnothers() {
        Tenure nine = new Tenure(LEASE, new FencingToken(9), "nine");
        lease.lock(nine);
        lease.lock(nine); // tenures of one session come in pairs
        isFencedOut();
    }

    @Test
    void failedToCheckSessionSinceTheLockKeyWasDeleted() {
        consul.admin().deleteKey(lease.lockKey());
        isFencedOut();
    }

    @Test
    void failedIndexCheckSinceTheMarkWasWritten() {
        consul.admin().put(lease.markKey(), "{\"token\":9,\"nonce\":\"nine\"}");
        isFencedOut();
    }

    @Test
    void failedToCheckIndexSinceTheMarkWasDeleted() {
        consul.admin().deleteKey(lease.markKey());
        isFencedOut();
    }

    @Test
    void indexIsStaleIsTheConditionOfTheWriteItself() {
        assertThat(commit(KvOperation.setIf(data + "old", "", 0, 0))).isEqualTo(CONDITION_FAILED);
        assertThat(commit(KvOperation.setIf(data + "old", "", 0, 1))).isEqualTo(CONDITION_FAILED);
        assertThat(commit(KvOperation.deleteIf(data + "old", 1))).isEqualTo(CONDITION_FAILED);
        assertThat(commit(set("with it"), KvOperation.setIf(data + "old", "", 0, 1)))
                .isEqualTo(CONDITION_FAILED);
        assertThat(consul.admin().keys(data)).containsExactly(data + "old");
        long index = look("old").entry().orElseThrow().index();
        assertThat(commit(KvOperation.setIf(data + "old", "w", 0, index))).isEqualTo(WRITTEN);
    }

    @Test
    void whatDoesNotExistIsNoRefusal() {
        assertThat(look("absent")).isEqualTo(new Look(true, Optional.empty()));
        assertThat(commit(KvOperation.delete(data + "absent"), KvOperation.deleteTree(data + "none/")))
                .isEqualTo(WRITTEN);
    }

    @Test
    void tooManyOperationsAreAFaultOfOurs() {
        List<KvOperation> most = Collections.nCopies(KvTransactions.MOST, set("new"));
        List<KvOperation> more = Collections.nCopies(KvTransactions.MOST + 1, set("more"));
        assertThat(Answers.of(() -> transactions.commit(standing, most))).isEqualTo(WRITTEN);
        assertThatThrownBy(() -> Answers.of(() -> transactions.commit(standing, more)))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("too many operations");
        assertThat(consul.admin().keys(data)).doesNotContain(data + "more");
    }

    /** Consul answers them by 409, too: not known here, so they mean nothing. */
    @Test
    void anyOtherTextIsUnknown() {
        assertThatThrownBy(() -> commit(new KvOperation("get-or-empty", data + "old", null, 0, null)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("unknown KV verb");
        assertThatThrownBy(() -> commit(new KvOperation("check-not-exists", data + "old", null, 0, null)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("exists");
    }
}
