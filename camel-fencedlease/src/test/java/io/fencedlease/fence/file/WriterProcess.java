package io.fencedlease.fence.file;

import io.fencedlease.faults.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/** The test's end of a {@link WriterMain}, which dies with the test's own JVM. For one thread. */
final class WriterProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Thread reaper;
    private final Writer commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /** Returns at once; the JVM comes up meanwhile. */
    WriterProcess() {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            classPath(),
                            WriterMain.class.getName())
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            Path.of("target", "file-writers.log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reaper = new Thread(process::destroyForcibly, "writer-reaper");
        Runtime.getRuntime().addShutdownHook(reaper);
        commands = process.outputWriter();
        Thread reader = new Thread(this::read, "writer-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** No more than it needs: many of them are started. Built classes may be in a folder or in a jar. */
    private static String classPath() {
        return Stream.of(WriterMain.class, FileFence.class, Logger.class, NullMarked.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void read() {
        try (BufferedReader in = process.inputReader()) {
            in.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException ended) {
            // its exit is what counts
        }
    }

    void tell(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String answer() {
        try {
            String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new IllegalStateException("no answer within " + PATIENCE_SECONDS + " s");
            }
            return answer;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String ask(String command) {
        tell(command);
        return answer();
    }

    /** SIGSTOP. */
    void pause() {
        Signals.send("STOP", process);
    }

    /** SIGCONT. */
    void resume() {
        Signals.send("CONT", process);
    }

    /** SIGKILL, also while it is paused; returns when it is gone. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("survives SIGKILL, pid " + process.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(reaper);
    }
}
