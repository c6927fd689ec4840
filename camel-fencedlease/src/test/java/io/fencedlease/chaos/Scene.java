package io.fencedlease.chaos;

import io.fencedlease.faults.ConsulCluster;
import java.util.List;
import java.util.Random;

/** What the nemesis can reach. */
record Scene(ChaosOptions options, ChaosNodes nodes, ConsulCluster consul, Judge judge) {

    /** Of four times three the holder of some lease, else any node. */
    String node(Random random) {
        List<String> names = options.nodes();
        String any = names.get(random.nextInt(names.size()));
        String holder = judge.lastWriter(lease(random));
        return holder.isEmpty() || random.nextInt(4) == 0 ? any : holder;
    }

    String lease(Random random) {
        List<String> leases = options.leases();
        return leases.get(random.nextInt(leases.size()));
    }
}
