package io.fencedlease.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.spi.BackendRefusedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a right taken away in the middle of a tenure is a fault of configuration: nothing is written, the right is named,
 * and nobody is told to be fenced out. Method: a Consul that denies by default; each right is taken away and given back.
 */
@NeedsConsul
class ConsulFenceRightsIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final LeaseName LEASE = new LeaseName("L");
    private static final Tenure SEVEN = new Tenure(LEASE, new FencingToken(7), "n-" + UUID.randomUUID());

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    private final String data = "data-" + UUID.randomUUID() + "/";
    private final String keyFolder = "keys-" + UUID.randomUUID();
    private final String secret = admin.createToken("session_prefix \"\" { policy = \"write\" } " + write(""));
    private final LeaseByHand lease = new LeaseByHand(consul.url(), secret);
    private final ConsulFence fence = new ConsulFence(LEASE, lease.backend, LIMIT);
    private final KvWrites writes = new KvWrites(fence);
    private final KvKeys keys = new KvKeys(LEASE, "orders", lease.backend, keyFolder, LIMIT, Ticker.system());

    @BeforeAll
    static void start() {
        consul = ConsulProcess.startDenyingByDefault();
        admin = consul.admin();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @BeforeEach
    void hold() throws Exception {
        lease.raise(fence, SEVEN);
        keys.fence().raise(SEVEN);
        writes.put(SEVEN, data + "old", "before", 0);
        keys.add(SEVEN, "claimed");
        keys.addConfirmed(SEVEN, "done");
    }

    @AfterEach
    void endLease() {
        grant("");
        lease.close();
    }

    private static String write(String prefix) {
        return "key_prefix \"" + prefix + "\" { policy = \"write\" } ";
    }

    /** All that is needed, but for what these rules take away: the longest name counts. */
    private void grant(String but) {
        admin.changeToken(secret, "session_prefix \"\" { policy = \"write\" } " + write("") + but);
    }

    private Map<String, String> stored() {
        Map<String, String> values = new TreeMap<>();
        for (String folder : new String[] {data, keyFolder}) {
            admin.keys(folder)
                    .forEach(key -> values.put(
                            key,
                            admin.entry(key).orElseThrow().path("ModifyIndex").asText()));
        }
        return values;
    }

    private Map<String, ThrowingCallable> everyWrite() {
        Map<String, ThrowingCallable> all = new LinkedHashMap<>();
        all.put("put", () -> writes.put(SEVEN, data + "new", "late", 0));
        all.put("put cas", () -> writes.putIf(SEVEN, data + "new", "late", 0, 0));
        all.put("delete", () -> writes.delete(SEVEN, data + "old"));
        all.put("delete tree", () -> writes.deleteTree(SEVEN, data));
        all.put(
                "guard",
                () -> fence.guard(SEVEN, () -> {
                    ConsulFence.stage(KvOperation.set(data + "new", "late", 0));
                    return null;
                }));
        return all;
    }

    private Map<String, ThrowingCallable> everyChangeOfKeys() {
        Map<String, ThrowingCallable> all = new LinkedHashMap<>();
        all.put("add", () -> keys.add(SEVEN, "new"));
        all.put("add confirmed", () -> keys.addConfirmed(SEVEN, "new"));
        all.put("confirm", () -> keys.confirm(SEVEN, "claimed"));
        all.put("remove", () -> keys.remove(SEVEN, "claimed"));
        return all;
    }

    /** @param named what each message has to contain */
    private void eachIsRefused(Map<String, ThrowingCallable> all, String named) {
        Map<String, String> before = stored();
        all.forEach((what, write) -> assertThat(catchThrowable(write))
                .as(what)
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining(named)
                .hasMessageNotContaining("refused a write")
                .hasMessageNotContaining(secret)
                .hasMessageNotContaining(SEVEN.nonce())
                .hasMessageNotContaining(lease.session()));
        assertThat(stored()).isEqualTo(before);
    }

    private void allIsWellOnceGranted() throws Exception {
        grant("");
        fence.raise(SEVEN);
        writes.put(SEVEN, data + "new", "again", 0);
        assertThat(admin.keys(data)).contains(data + "new");
        assertThat(keys.confirm(SEVEN, "claimed")).isTrue();
    }

    @Test
    void withoutTheRightToReadTheLock() throws Exception {
        grant("key \"" + lease.lockKey() + "\" { policy = \"deny\" }");

        String named = "missing right: key:read on \"" + lease.lockKey() + "\":";
        eachIsRefused(everyWrite(), named);
        eachIsRefused(everyChangeOfKeys(), named);
        assertThatThrownBy(() -> keys.contains(SEVEN, "done")).hasMessageContaining(named);
        assertThatThrownBy(() -> fence.raise(SEVEN))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: key:read on");
        allIsWellOnceGranted();
    }

    @Test
    void withoutTheRightToReadTheMark() throws Exception {
        grant("key \"" + lease.markKey() + "\" { policy = \"deny\" }");

        String named = "missing right: key:read on \"" + lease.markKey() + "\":";
        eachIsRefused(everyWrite(), named);
        eachIsRefused(everyChangeOfKeys(), named);
        assertThatThrownBy(() -> fence.raise(SEVEN))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: key:read on");
        allIsWellOnceGranted();
    }

    /** Without it no tenure begins, and the one that runs is not disturbed. */
    @Test
    void withoutTheRightToWriteTheMark() throws Exception {
        grant("key \"" + lease.markKey() + "\" { policy = \"read\" }");
        writes.put(SEVEN, data + "still", "ours", 0);

        Tenure next = new Tenure(LEASE, new FencingToken(9), "n-" + UUID.randomUUID());
        assertThatThrownBy(() -> lease.raise(fence, next))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: key:write on \"" + lease.markKey() + "\":")
                .hasMessageNotContaining(next.nonce());
        assertThat(admin.keys(data)).contains(data + "still");
        grant("");
        lease.raise(fence, next);
        writes.put(next, data + "next", "", 0);
    }

    @Test
    void withoutTheRightToWriteTheTarget() throws Exception {
        grant("key_prefix \"" + data + "\" { policy = \"read\" } key_prefix \"" + keyFolder
                + "\" { policy = \"read\" }");

        eachIsRefused(everyWrite(), "missing right: key:write on \"" + data);
        eachIsRefused(everyChangeOfKeys(), "missing right: key:write on \"" + keyFolder);
        assertThat(keys.contains(SEVEN, "done")).isTrue();
        assertThat(keys.add(SEVEN, "done")).isEqualTo(Found.CONFIRMED);
        allIsWellOnceGranted();
    }

    @Test
    void withoutTheRightToReadTheTarget() throws Exception {
        grant("key_prefix \"" + keyFolder + "\" { policy = \"deny\" }");

        assertThatThrownBy(() -> keys.contains(SEVEN, "done"))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: key:read on \"" + keyFolder);
        assertThatThrownBy(() -> keys.cleanup(Duration.ZERO))
                .as("a folder that may not be read is not an empty one")
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: key:read on \"" + keyFolder);
        allIsWellOnceGranted();
    }

    /** The lock is checked as a key: the right to the session is the lease's business, which ends by its deadline. */
    @Test
    void withoutTheRightToTheSessionTheFenceGoesOnAsLongAsTheLockStands() throws Exception {
        admin.changeToken(secret, write(""));
        assertThatThrownBy(lease::renew)
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("session:write");

        writes.put(SEVEN, data + "new", "still ours", 0);
        assertThat(keys.confirm(SEVEN, "claimed")).isTrue();
    }

    @Test
    void withATokenThatIsUnknownByNow() throws Exception {
        admin.deleteToken(secret);
        try {
            eachIsRefused(everyWrite(), "does not know the ACL token");
            eachIsRefused(everyChangeOfKeys(), "does not know the ACL token");
            assertThatThrownBy(() -> fence.raise(SEVEN)).hasMessageContaining("does not know the ACL token");
        } finally {
            admin.createToken(write(""), secret);
        }
        allIsWellOnceGranted();
    }
}
