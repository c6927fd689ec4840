package io.fencedlease.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.FencedKeysContract;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.consul.KvEntry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keys in Consul: a real one, a lease held by hand. */
@NeedsConsul
class KvKeysIT extends FencedKeysContract {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static ConsulProcess consul;

    private final LeaseByHand lease = new LeaseByHand(consul.url());
    private final String prefix = "keys-" + UUID.randomUUID();

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

    @Override
    protected FencedKeys keys(LeaseName name, String repository, Ticker ticker) {
        return new KvKeys(name, repository, lease.backend, prefix, LIMIT, ticker);
    }

    @Override
    protected void raise(FencedKeys keys, Tenure tenure) throws Exception {
        lease.raise(keys.fence(), tenure);
    }

    @Override
    protected void alsoOn(FencedKeys keys, Tenure tenure) throws Exception {
        keys.fence().raise(tenure);
    }

    @Test
    void whatIsNoEntryOfOursIsNeverTakenOver() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        KvEntry entry = ConsulFence.await(lease.backend.transactions(LIMIT).below(prefix))
                .get(0);
        for (String vandal : List.of(
                "",
                "no json",
                "{}",
                "[7]",
                "{\"token\":\"7\"}",
                "{\"token\":0}",
                "{\"token\":-7}",
                "{\"token\":7.0}",
                "{\"token\":\"seven\",\"confirmed\":true}",
                "{\"token\":9223372036854775808}")) {
            consul.admin().put(entry.key(), vandal);
            assertThatThrownBy(() -> here.add(tenure(7), "a")).as("%s", vandal).isInstanceOf(FencedOutException.class);
        }
        assertThat(here.add(tenure(7), "b")).isEqualTo(Found.NEW);
    }

    @Test
    void keysAreNotKeptWhereEachWriteWouldWakeEveryNode() {
        String ofLeases = lease.backend.settings().keyPrefix();
        for (String refused : List.of(ofLeases, ofLeases + "/keys", "", "/keys", "keys/", "a//b", "../keys", "a b")) {
            assertThatThrownBy(() -> new KvKeys(LEASE, "orders", lease.backend, refused, LIMIT, ticker()))
                    .as("%s", refused)
                    .isInstanceOf(SettingRefusedException.class)
                    .hasMessageContaining("keyPrefix");
        }
    }
}
