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
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers, nodes, faults, and the calm after them. Leaves nothing running. */
final class ChaosRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosRun.class);

    /** For what has to come about by itself. Generous: what this machine needs is printed. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ChaosOptions options;
    private final ConsulCluster consul;
    private final Judge judge;
    private final FileWitness files;
    private final ChaosNodes nodes;

    ChaosRun(ChaosOptions options) throws Exception {
        this.options = options;
        Files.createDirectories(options.folder());
        CompletableFuture<Judge> database = CompletableFuture.supplyAsync(Judge::new);
        files = new FileWitness(options);
        consul = ConsulCluster.start();
        judge = database.join();
        nodes = new ChaosNodes(options, consul.urls(), Postgres.port(), judge, files.folder());
    }

    /** What is done to the nodes and servers; returns when all of it is healed. */
    interface Script {
        List<Struck> play(Scene scene) throws Exception;
    }

    Outcome run(Script script) throws Exception {
        awaitWrites(Map.of(), Map.of());
        LOG.info("chaos begins, seed {}", options.seed());
        long began = System.nanoTime();
        List<Struck> struck = script.play(new Scene(options, nodes, consul, judge, files));
        long calm = System.nanoTime();
        LOG.info("chaos over, seed {}", options.seed());
        Map<String, Long> heldAgain = awaitWrites(judge.lastWrites(), files.lastWrites());
        if (!nodes.dead().isEmpty()) {
            throw new IllegalStateException("ended by themselves: " + nodes.dead());
        }
        options.nodes().parallelStream().forEach(nodes::stop);
        List<String> left = sessionsLeft();
        return new Outcome(
                options,
                Stream.concat(judge.facts().stream(), files.facts().stream()).toList(),
                nodes.said(),
                nodes.lives(),
                struck,
                began,
                calm,
                heldAgain,
                System.nanoTime(),
                left);
    }

    /** Waits until each lease has been written under after these, both ways, or for long enough; when each was seen. */
    private Map<String, Long> awaitWrites(Map<String, Long> after, Map<String, Long> filesAfter) {
        Map<String, Long> seen = new HashMap<>();
        try {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
                Map<String, Long> last = judge.lastWrites();
                Map<String, Long> lastFiles = files.lastWrites();
                for (String lease : options.leases()) {
                    if (isLater(last, after, lease) && isLater(lastFiles, filesAfter, lease)) {
                        seen.putIfAbsent(lease, System.nanoTime());
                    }
                }
                return seen.keySet().containsAll(options.leases());
            });
        } catch (ConditionTimeoutException judgedLater) {
            LOG.warn("written under within {}: only {}", PATIENCE, seen.keySet());
        }
        return seen;
    }

    private static boolean isLater(Map<String, Long> last, Map<String, Long> before, String lease) {
        return last.getOrDefault(lease, 0L) > before.getOrDefault(lease, 0L);
    }

    /** Of nodes that were killed they end by their TTL. */
    private List<String> sessionsLeft() {
        try {
            await().atMost(PATIENCE).until(() -> consul.admin().sessions().isEmpty());
        } catch (ConditionTimeoutException judgedLater) {
            LOG.warn("sessions that do not end");
        }
        return consul.admin().sessions();
    }

    @Override
    public void close() {
        nodes.close();
        files.close();
        consul.close();
    }
}
