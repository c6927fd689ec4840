package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The three servers really are one Consul, and their faults are what the other tests believe. */
@NeedsConsul
class ConsulClusterIT {

    private static ConsulCluster consul;

    @BeforeAll
    static void startConsul() {
        consul = ConsulCluster.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @Test
    void whatOneServerWasToldAllKnowAndItOutlivesEveryLeaderAndARestartOfAll() {
        for (int i = 0; i < 3; i++) {
            consul.server(i).admin().put("a/" + i, "value");
        }

        int killed = consul.killLeader();
        int second = consul.leader();
        assertThat(second).isNotEqualTo(killed);
        consul.restart(killed);

        int frozen = consul.freezeLeader();
        assertThat(frozen).isEqualTo(second);
        assertThat(consul.leader()).isNotEqualTo(frozen);
        consul.thaw();

        consul.restartAll();
        for (int i = 0; i < 3; i++) {
            assertThat(consul.server(i).admin().entry("a/" + (i + 1) % 3)).isPresent();
        }
    }

    @Test
    void aSnapshotBringsBackWhatAWipeTook() {
        consul.admin().put("b/key", "value");
        byte[] snapshot = consul.snapshot();

        consul.wipe();
        assertThat(consul.admin().entry("b/key")).isEmpty();

        consul.restore(snapshot);
        assertThat(consul.admin().entry("b/key")).isPresent();
    }
}
