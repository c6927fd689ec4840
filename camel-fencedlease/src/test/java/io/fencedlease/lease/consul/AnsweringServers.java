package io.fencedlease.lease.consul;

import io.fencedlease.faults.ConsulCluster;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.ArrayList;
import java.util.List;

/** Three Consul servers as child processes. */
final class AnsweringServers extends AnsweringProcesses implements AnsweringCluster {

    private final ConsulCluster cluster = ConsulCluster.start();
    private final List<Integer> killed = new ArrayList<>();
    private int asked = (cluster.leader() + 1) % 3;
    private byte[] snapshot = {};

    /** The one that is asked next does not lead now. */
    @Override
    public ConsulTransport manager() {
        asked = (cluster.leader() + 1) % 3;
        return http(cluster.urls().get(asked), "");
    }

    @Override
    public boolean asksLeader() {
        return cluster.leader() == asked;
    }

    @Override
    public void killLeader() {
        killed.add(cluster.killLeader());
    }

    @Override
    public void loseQuorum() {
        for (int i = 0; i < 3; i++) {
            if (i != asked) {
                cluster.server(i).kill();
                killed.add(i);
            }
        }
    }

    @Override
    public void regainQuorum() {
        killed.forEach(i -> cluster.server(i).start());
        killed.clear();
        cluster.leader();
    }

    @Override
    public void wipe() {
        cluster.wipe();
    }

    @Override
    public void snapshot() {
        snapshot = cluster.snapshot();
    }

    @Override
    public void restore() {
        cluster.restore(snapshot);
    }

    @Override
    public void close() {
        super.close();
        cluster.close();
    }

    @Override
    public void freeze() {
        for (int i = 0; i < 3; i++) {
            cluster.server(i).freeze();
        }
    }

    @Override
    public void thaw() {
        cluster.thaw();
    }

    @Override
    public void restart() {
        cluster.restartAll();
    }

    @Override
    public void restoredAfter(Runnable something) {
        snapshot();
        something.run();
        restore();
    }

    @Override
    public LeaseBackend backend() {
        return backend(cluster.urls().get(asked), "");
    }

    @Override
    public ConsulTransport as(String token) {
        throw withoutAcls();
    }

    @Override
    public String grant(SimulatedRights rights) {
        throw withoutAcls();
    }

    @Override
    public void deleteToken(String token) {
        throw withoutAcls();
    }

    private static UnsupportedOperationException withoutAcls() {
        return new UnsupportedOperationException("these servers have no ACLs");
    }
}
