package io.fencedlease.examples.failover;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processes that the demo started and the folder they use. Closing ends them all, also those that are paused, and
 * removes the folder; also when the demo itself is ended by a signal.
 */
final class Children implements AutoCloseable {

    /** Small and quick to start: the nodes share a machine with each other. */
    private static final List<String> JVM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            absolute(System.getProperty("java.class.path")));

    private static final int LOG_LINES = 60;

    private final Path folder;
    private final Map<String, String> environment;
    private final List<Process> processes = new ArrayList<>();
    private volatile boolean closing;

    Children(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "demo-cleanup"));
    }

    /** Whether they are being ended, or are. */
    boolean closing() {
        return closing;
    }

    Path folder() {
        return folder;
    }

    /** Starts a JVM whose standard error goes to NAME.log. */
    Process start(String name, Class<?> main, List<String> properties, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(JVM);
        command.addAll(properties);
        command.add(main.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        synchronized (processes) {
            if (closing) {
                throw new IOException("the demo is ending");
            }
            Process process = builder.start();
            processes.add(process);
            return process;
        }
    }

    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /** The end of each log, for a demo that went wrong. */
    void printLogs(PrintStream out) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log :
                    files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
                List<String> lines = Files.readAllLines(log);
                out.println("\n--- " + log.getFileName());
                lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())
                        .forEach(out::println);
            }
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        closing = true;
        synchronized (processes) {
            processes.forEach(Process::destroyForcibly);
            processes.forEach(process -> process.onExit().join());
        }
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException gone) {
            System.err.println("not removed: " + folder);
        }
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .reduce((a, b) -> a + File.pathSeparator + b)
                .orElseThrow();
    }
}
