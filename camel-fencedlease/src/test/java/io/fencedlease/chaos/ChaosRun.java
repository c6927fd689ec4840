package io.fencedlease.chaos;

import static org.awaitility.Awaitility.await;

import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.faults.ConsulCluster;
import io.fencedlease.faults.Postgres;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers, nodes, faults, and the calm after them. Leaves nothing running. */
final class ChaosRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosRun.class);

    /** Generous: what this machine needs is printed. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ChaosOptions options;
    private final ConsulCluster consul;
    private final Judge judge;
    private final ChaosNodes nodes;

    ChaosRun(ChaosOptions options) throws Exception {
        this.options = options;
        Files.createDirectories(options.folder());
        CompletableFuture<Judge> database = CompletableFuture.supplyAsync(Judge::new);
        consul = ConsulCluster.start();
        judge = database.join();
        nodes = new ChaosNodes(options, consul.urls(), Postgres.port(), judge);
    }

    Outcome run() throws Exception {
        awaitWrites(Map.of());
        LOG.info("chaos begins, seed {}", options.seed());
        long began = System.nanoTime();
        List<Struck> struck = new Nemesis(new Scene(options, nodes, consul, judge)).torment();
        long calm = System.nanoTime();
        LOG.info("chaos over, seed {}", options.seed());
        Map<String, Long> heldAgain = awaitWrites(judge.lastWrites());
        List<String> endedByThemselves = nodes.dead();
        if (!endedByThemselves.isEmpty()) {
            throw new IllegalStateException("ended by themselves: " + endedByThemselves);
        }
        options.nodes().parallelStream().forEach(nodes::stop);
        return new Outcome(options, judge.facts(), nodes.said(), nodes.lives(), struck, began, calm, heldAgain);
    }

    /** Waits until each lease has been written under after these writes; when that was seen. */
    private Map<String, Long> awaitWrites(Map<String, Long> after) {
        Map<String, Long> seen = new HashMap<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            Map<String, Long> last = judge.lastWrites();
            for (String lease : options.leases()) {
                if (last.getOrDefault(lease, 0L) > after.getOrDefault(lease, 0L)) {
                    seen.putIfAbsent(lease, System.nanoTime());
                }
            }
            return seen.keySet().containsAll(options.leases());
        });
        return seen;
    }

    /** Which node processes run, though all were ended. */
    List<String> stillRunning() {
        return options.nodes().stream()
                .filter(node -> !nodes.dead().contains(node))
                .toList();
    }

    /** The sessions that Consul still has. */
    List<String> sessions() {
        return consul.admin().sessions();
    }

    @Override
    public void close() {
        nodes.close();
        consul.close();
    }
}
