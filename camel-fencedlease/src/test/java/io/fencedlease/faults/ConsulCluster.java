package io.fencedlease.faults;

import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.ConsulAgent.Ports;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Three real Consul servers with Raft between them, on free loopback ports. A server that dies is not pruned, so a
 * session made through it lives on. Dies with this JVM. To be used by one thread.
 */
public final class ConsulCluster implements AutoCloseable {

    private static final int SERVERS = 3;

    private final List<ConsulAgent> servers;

    private ConsulCluster(List<ConsulAgent> servers) {
        this.servers = servers;
    }

    /** Three servers that have elected, and elect quickly again ({@code raft_multiplier} 1). */
    public static ConsulCluster start() {
        return start(1);
    }

    /** A port found free may be taken by somebody else before a server binds it: then other ports. */
    public static ConsulCluster start(int raftMultiplier) {
        for (int attempt = 1; ; attempt++) {
            ConsulCluster cluster = new ConsulCluster(agents(raftMultiplier));
            try {
                cluster.startServers();
                return cluster;
            } catch (IllegalStateException | ConditionTimeoutException e) {
                cluster.close();
                if (attempt == 3) {
                    throw e;
                }
            }
        }
    }

    private static List<ConsulAgent> agents(int raftMultiplier) {
        List<Ports> ports = Ports.free(SERVERS);
        String all =
                ports.stream().map(p -> "\"127.0.0.1:" + p.serfLan() + "\"").collect(Collectors.joining(", "));
        List<String> hcl = List.of(
                "bootstrap_expect = " + SERVERS,
                "retry_join = [" + all + "]",
                "retry_interval = \"1s\"",
                "performance { raft_multiplier = " + raftMultiplier + " }",
                "autopilot { cleanup_dead_servers = false }");
        return IntStream.range(0, SERVERS)
                .mapToObj(i -> new ConsulAgent("server-" + i, ports.get(i), hcl))
                .toList();
    }

    private void startServers() {
        servers.forEach(ConsulAgent::start);
        servers.forEach(ConsulAgent::awaitLeader);
    }

    /** Where each server's HTTP API listens; the same over restarts. */
    public List<URI> urls() {
        return servers.stream().map(ConsulAgent::url).toList();
    }

    /** One of the three, from 0. */
    public ConsulAgent server(int i) {
        return servers.get(i);
    }

    /** Which server is the Raft leader, once those that answer agree about one of them and it commits. */
    public int leader() {
        return await().atMost(ConsulAgent.UP)
                .pollInterval(Duration.ofMillis(50))
                .until(this::findLeader, OptionalInt::isPresent)
                .getAsInt();
    }

    private OptionalInt findLeader() {
        Set<String> named = servers.stream()
                .filter(ConsulAgent::answers)
                .map(server -> server.admin().raftLeader())
                .collect(Collectors.toSet());
        return IntStream.range(0, SERVERS)
                .filter(i -> named.equals(Set.of(servers.get(i).serverAddress())))
                .filter(i -> servers.get(i).answers() && servers.get(i).admin().hasLeader())
                .findFirst();
    }

    /** SIGKILL for the Raft leader; which one it was. The other two elect by themselves: {@link #leader()} waits for it. */
    public int killLeader() {
        int leader = leader();
        server(leader).kill();
        return leader;
    }

    /** SIGSTOP for the Raft leader; which one it was. The other two elect by themselves. */
    public int freezeLeader() {
        int leader = leader();
        server(leader).freeze();
        return leader;
    }

    /** SIGCONT for whichever server is frozen. */
    public void thaw() {
        servers.stream().filter(server -> server.isAlive() && !server.answers()).forEach(ConsulAgent::thaw);
    }

    /** Kills this server if it runs, starts it with its data, and waits until it knows a leader. */
    public void restart(int i) {
        server(i).kill();
        server(i).start();
        server(i).awaitLeader();
    }

    /** Kills all servers, and only then starts them again, with their data. Waits for the election. */
    public void restartAll() {
        servers.forEach(ConsulAgent::kill);
        startServers();
    }

    /** Starts all three again with nothing, as after the loss of all disks: every index begins anew. */
    public void wipe() {
        servers.forEach(ConsulAgent::kill);
        servers.forEach(ConsulAgent::deleteData);
        startServers();
    }

    /** The whole state of the cluster, for {@link #restore}. */
    public byte[] snapshot() {
        return admin().snapshot();
    }

    /** Brings an earlier state back, old sessions and locks included. */
    public void restore(byte[] snapshot) {
        admin().restore(snapshot);
    }

    /** Asks the server that leads at this moment; waits for one. */
    public ConsulAdmin admin() {
        return server(leader()).admin();
    }

    /** Ends all three, also if one cannot be ended. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        for (ConsulAgent server : servers) {
            try {
                server.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
