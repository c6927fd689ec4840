package io.fencedlease.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The nodes by name, over all their lives. One thread may end and start a node, another spoil its links. */
final class ChaosNodes implements AutoCloseable {

    /** A line of a node's journal, and which of its lives said it. */
    record Said(String node, int life, NodeLine line) {

        /** As {@link Life#name()}. */
        String name() {
            return node + "." + life;
        }
    }

    /**
     * A JVM, from its start to its end, which is 0 while it runs.
     *
     * @param killed it could not say anything any more
     */
    record Life(String node, int number, long from, long to, boolean killed) {

        /** Its name among all lives. */
        String name() {
            return node + "." + number;
        }
    }

    private static final int TERMINATED = 128 + 15;

    private final ChaosOptions options;
    private final Judge judge;
    private final Path files;
    private final Map<String, Links> links = new LinkedHashMap<>();
    private final Map<String, NodeProcess> running = new LinkedHashMap<>();
    private final Map<String, Life> current = new LinkedHashMap<>();
    private final List<Life> over = new ArrayList<>();
    private final Queue<Said> said = new ConcurrentLinkedQueue<>();

    /** Starts them all. */
    ChaosNodes(ChaosOptions options, List<URI> consul, int databasePort, Judge judge, Path files) {
        this.options = options;
        this.judge = judge;
        this.files = files;
        for (String name : options.nodes()) {
            links.put(name, new Links(consul, databasePort));
            start(name);
        }
    }

    Links links(String name) {
        return links.get(name);
    }

    synchronized void start(String name) {
        int number = current.containsKey(name) ? current.get(name).number() + 1 : 1;
        Map<String, String> properties = Map.of(
                "chaos.node", name,
                "chaos.life", Integer.toString(number),
                "chaos.leases", String.join(",", options.leasesOf(name)),
                "chaos.consul", links(name).consulUrls(),
                "chaos.files", files.toString(),
                "chaos.database", judge.url(links(name).databasePort()),
                "chaos.wait", Long.toString(options.longestWait().toMillis()),
                "chaos.sink", options.sink());
        try {
            current.put(name, new Life(name, number, System.nanoTime(), 0, false));
            running.put(
                    name,
                    new NodeProcess(
                            properties,
                            options.folder().resolve("node-" + name + ".log"),
                            line -> said.add(new Said(name, number, line))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized void pause(String name) {
        running.get(name).pause();
    }

    synchronized void resume(String name) {
        running.get(name).resume();
    }

    void kill(String name) {
        process(name).kill();
        ended(name, true);
    }

    /** @throws IllegalStateException if it does not end in order */
    void stop(String name) {
        NodeProcess process = process(name);
        if (!process.stop() || process.exitCode() != TERMINATED) {
            throw new IllegalStateException("node " + name + " does not end in order after SIGTERM");
        }
        ended(name, false);
    }

    private synchronized NodeProcess process(String name) {
        return running.get(name);
    }

    private synchronized void ended(String name, boolean killed) {
        Life life = current.get(name);
        over.add(new Life(name, life.number(), life.from(), System.nanoTime(), killed));
    }

    /** Those whose process has ended. */
    synchronized List<String> dead() {
        return running.entrySet().stream()
                .filter(entry -> !entry.getValue().isAlive())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** All that they said so far. */
    List<Said> said() {
        return List.copyOf(said);
    }

    /** Those that ended. */
    synchronized List<Life> lives() {
        return List.copyOf(over);
    }

    /** SIGKILL for what still runs. */
    @Override
    public synchronized void close() {
        running.values().stream().filter(NodeProcess::isAlive).forEach(NodeProcess::close);
        links.values().forEach(Links::close);
    }
}
