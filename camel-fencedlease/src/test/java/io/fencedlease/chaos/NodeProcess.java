package io.fencedlease.chaos;

import io.fencedlease.faults.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One life of a node: the test's end of its JVM. Dies with the test's own JVM. */
final class NodeProcess implements AutoCloseable {

    private static final long END_SECONDS = 60;

    private final Process process;
    private final Thread reaper;
    private final Thread reader;

    /**
     * @param log gets what the node says besides its journal
     * @param journal gets each line of it, on a thread of its own
     */
    NodeProcess(Map<String, String> properties, Path log, Consumer<NodeLine> journal) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.logFile=System.err",
                "-Dorg.slf4j.simpleLogger.log.org.apache.camel=error",
                "-Dorg.slf4j.simpleLogger.log.io.fencedlease=info"));
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ChaosNode.class.getName());
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        reaper = new Thread(process::destroyForcibly, "chaos-node-reaper");
        Runtime.getRuntime().addShutdownHook(reaper);
        reader = new Thread(() -> read(journal), "chaos-node-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Consumer<NodeLine> journal) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                NodeLine.parse(line).ifPresent(journal);
            }
        } catch (IOException ended) {
            // its exit is what counts
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Of a process that has ended; 143 after a stop in order. */
    int exitCode() {
        return process.exitValue();
    }

    /** SIGSTOP. */
    void pause() {
        Signals.send("STOP", process);
    }

    /** SIGCONT. */
    void resume() {
        Signals.send("CONT", process);
    }

    /** SIGKILL, also while it is paused; its journal has been read to the end. */
    void kill() {
        Signals.send("KILL", process);
        if (!ended()) {
            throw new IllegalStateException("node survives SIGKILL, pid " + pid());
        }
    }

    /** SIGTERM; whether it ended in order within a minute. */
    boolean stop() {
        // not destroy(): it closes the node's standard input and output as well
        Signals.send("TERM", process);
        return ended();
    }

    private boolean ended() {
        try {
            boolean ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            if (ended) {
                reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
                Runtime.getRuntime().removeShutdownHook(reaper);
            }
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    @Override
    public void close() {
        kill();
    }
}
