package io.fencedlease.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long, how many, how unlucky.
 *
 * @param time how long the nemesis is at work
 * @param sink which leases are fenced: see {@link ChaosSink#fenced}
 * @param longestWait how long a write may have to wait for a connection, after the last look at its lease
 * @param folder for the history and the nodes' logs
 */
record ChaosOptions(Duration time, long seed, List<String> nodes, String sink, Duration longestWait, Path folder) {

    /** Wanted by all nodes. */
    private static final List<String> CONTENDED = List.of("first", "second", "third" + ChaosNode.APART);

    private static final Path FOLDER = Path.of("target", "chaos").toAbsolutePath();

    /** From system properties {@code chaos.seconds}, {@code chaos.seed} and {@code chaos.sink}. */
    static ChaosOptions given() {
        long seed = Long.getLong("chaos.seed", System.nanoTime() & 0xFFFFFF);
        String sink = System.getProperty("chaos.sink", "fenced");
        Duration time = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 60));
        return new ChaosOptions(
                time, seed, List.of("a", "b", "c"), sink, Duration.ofMillis(150), FOLDER.resolve(sink + "-" + seed));
    }

    /** For a script of two nodes that nearly always have a write under way. */
    static ChaosOptions scripted(String script, String sink) {
        return new ChaosOptions(
                Duration.ZERO, 0, List.of("a", "b"), sink, Duration.ofSeconds(1), FOLDER.resolve(script));
    }

    /** All contended leases, and one that only this node wants. */
    List<String> leasesOf(String node) {
        return Stream.concat(CONTENDED.stream(), Stream.of("own-" + node)).toList();
    }

    List<String> leases() {
        return nodes.stream()
                .flatMap(node -> leasesOf(node).stream())
                .distinct()
                .toList();
    }

    String again() {
        return "mvn -pl camel-fencedlease verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=ChaosIT"
                + " -Dchaos.seconds=" + time.toSeconds()
                + " -Dchaos.seed=" + seed + (sink.equals("fenced") ? "" : " -Dchaos.sink=" + sink);
    }
}
