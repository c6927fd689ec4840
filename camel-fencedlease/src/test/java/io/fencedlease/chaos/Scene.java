package io.fencedlease.chaos;

import io.fencedlease.faults.ConsulAgent;
import io.fencedlease.faults.ConsulCluster;
import java.util.List;
import java.util.Random;

/** What the nemesis can reach. */
record Scene(ChaosOptions options, ChaosNodes nodes, ConsulCluster consul, Judge judge, FileWitness files) {

    /** Of four times three the holder of some lease, else any node. */
    String node(Random random) {
        String any = any(options.nodes(), random);
        String holder = holder(lease(random), random);
        return random.nextInt(4) == 0 ? any : holder;
    }

    String lease(Random random) {
        return any(options.leases(), random);
    }

    /** Who wrote under the highest token of a lease, or any node if nobody did yet. */
    String holder(String lease, Random random) {
        String any = any(options.nodes(), random);
        return judge.lastWriter(lease).map(Judge.Writer::node).orElse(any);
    }

    /** Destroys the session that holds a lease, if there is a Consul that does it at once. */
    void expelHolder(String lease) {
        for (int i = 0; i < consul.urls().size(); i++) {
            ConsulAgent server = consul.server(i);
            try {
                if (server.answers()) {
                    server.admin()
                            .entry("fencedlease/leases/" + lease)
                            .map(entry -> entry.path("Session").asText(""))
                            .filter(session -> !session.isEmpty())
                            .ifPresent(server.admin()::destroySession);
                    return;
                }
            } catch (RuntimeException noLeaderNow) {
                // another server, or its TTL
            }
        }
    }

    private static String any(List<String> names, Random random) {
        return names.get(random.nextInt(names.size()));
    }
}
