package io.fencedlease.examples.failover;

import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The director's end of a node: reads its lines, pulls its strings, sends it signals. */
final class NodeProcess {

    private final String name;
    private final Process process;
    private final Writer strings;

    /**
     * @param log gets whatever the node prints
     * @param messages gets each message, on a thread of its own
     */
    NodeProcess(String name, Process process, Path log, Consumer<NodeMessage> messages) {
        this.name = name;
        this.process = process;
        strings = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        Thread reader = new Thread(() -> read(log, messages), "node-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    String name() {
        return name;
    }

    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    /** The node will wait where this point is, and say so. */
    void holdAt(PausePoint point) {
        pull(point.name());
    }

    void pause() {
        signal("STOP");
    }

    /** Wakes the node; what waited at the pause point goes on at once. */
    void resume() {
        pull("go");
        signal("CONT");
    }

    /** The polite stop: SIGTERM. */
    void stop() {
        signal("TERM");
    }

    private void pull(String string) {
        try {
            strings.write(string + "\n");
            strings.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("node " + name + " is gone", gone);
        }
    }

    /** By the shell's own kill: a minimal system has no other. */
    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new ScriptFailedException("SIG" + signal + " did not reach node " + name);
            }
        } catch (IOException noShell) {
            throw new UncheckedIOException(noShell);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Path log, Consumer<NodeMessage> messages) {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter rest = new PrintWriter(new FileWriter(log.toFile(), StandardCharsets.UTF_8, true), true)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                rest.println(line);
                NodeMessage.parse(line).ifPresent(messages);
            }
        } catch (IOException ended) {
            // its exit is what counts
        }
    }
}
