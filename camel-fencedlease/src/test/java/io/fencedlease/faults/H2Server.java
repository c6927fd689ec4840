package io.fencedlease.faults;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;

/**
 * An H2 server in a JVM of its own, with its databases on disk, on a loopback port. It keeps its port and data over
 * {@link #kill()} and {@link #restart()}. Ends with this JVM.
 */
public final class H2Server implements AutoCloseable {

    private static final Pattern RUNNING = Pattern.compile("tcp://[^ ]*:(\\d+)");

    private final Path home;
    private final Thread reaper = new Thread(this::bury, "h2-reaper");
    private int port;
    private volatile Process process;

    private H2Server() throws IOException {
        Path target = Files.createDirectories(Path.of("target", "h2").toAbsolutePath());
        home = Files.createTempDirectory(target, "server-");
        Runtime.getRuntime().addShutdownHook(reaper);
        process = spawn();
    }

    public static H2Server start() {
        try {
            return new H2Server();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A database whose commits are on disk when they are acknowledged; created by its first connection. */
    public JdbcDataSource database(String name) {
        return database(name, ";WRITE_DELAY=0");
    }

    /** @param options as at the end of an H2 URL, each after a semicolon */
    public JdbcDataSource database(String name, String options) {
        return at(port, name, options);
    }

    /** The same database through another port of loopback, such as a {@link TcpProxy}'s. */
    public JdbcDataSource through(int otherPort, String name) {
        return at(otherPort, name, ";WRITE_DELAY=0");
    }

    public int port() {
        return port;
    }

    /** SIGSTOP: connections are still accepted by the kernel, nothing answers. */
    public void freeze() {
        Signals.send("STOP", process);
    }

    /** SIGCONT. */
    public void thaw() {
        Signals.send("CONT", process);
    }

    /** SIGKILL, and waits for the end. */
    public void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("H2 server survives its kill, pid " + process.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts again with its data and on its port. */
    public void restart() {
        kill();
        try {
            process = spawn();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(reaper);
        bury();
    }

    private static JdbcDataSource at(int port, String name, String options) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:tcp://127.0.0.1:" + port + "/./" + name + options);
        source.setUser("sa");
        source.setPassword("");
        return source;
    }

    private Process spawn() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process started = new ProcessBuilder(List.of(
                        java,
                        "-Xmx128m",
                        "-Dh2.bindAddress=127.0.0.1",
                        "-cp",
                        jar(),
                        "org.h2.tools.Server",
                        "-tcp",
                        "-tcpPort",
                        Integer.toString(port),
                        "-ifNotExists",
                        "-baseDir",
                        home.toString()))
                .redirectErrorStream(true)
                .start();
        process = started;
        BufferedReader output = started.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher running = RUNNING.matcher(line);
            if (running.find()) {
                port = Integer.parseInt(running.group(1));
                return started;
            }
        }
        throw new IllegalStateException(
                "H2 server ended before it ran, exit " + started.onExit().join().exitValue());
    }

    private static String jar() {
        try {
            return new File(JdbcDataSource.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getPath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void bury() {
        kill();
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
