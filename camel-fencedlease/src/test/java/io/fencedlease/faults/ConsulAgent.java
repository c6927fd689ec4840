package io.fencedlease.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Consul server as a child process on loopback. Its ports and its data stay over {@link #kill()} and {@link
 * #start()}. Sessions may have a TTL of 1 s. It dies with this JVM, and its data with it; its log stays in {@code
 * target/consul}. To be started and ended by one thread.
 */
public final class ConsulAgent implements AutoCloseable {

    static final Duration UP = Duration.ofSeconds(60);

    private final String name;
    private final Ports ports;
    private final List<String> hcl;
    private final Path home;
    private final Path log;
    private final ConsulAdmin admin;
    private final Thread reaper;
    private volatile @Nullable Process process;
    private volatile boolean frozen;

    /** Not started yet. */
    ConsulAgent(String name, Ports ports, List<String> hcl) {
        this.name = name;
        this.ports = ports;
        this.hcl = hcl;
        try {
            Path target = Files.createDirectories(Path.of("target", "consul").toAbsolutePath());
            home = Files.createTempDirectory(target, "agent-");
            log = target.resolve(home.getFileName() + ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        admin = new ConsulAdmin(url(), "");
        reaper = new Thread(this::bury, "consul-reaper-" + name);
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /** Of loopback; the same over restarts. */
    record Ports(int http, int server, int serfLan, int serfWan, int https) {

        /** Up to 32000, below the range out of which clients get theirs: nobody takes them while the agent is down. */
        private static final int LOWEST = 15_000;

        /** Test JVMs that run side by side choose from different ones, for the same reason. */
        private static final int BLOCK = 200;

        private static final int BLOCKS = 85;

        /** Free at this moment, and different from each other. */
        static List<Ports> free(int agents) {
            List<ServerSocket> open = new ArrayList<>();
            Random random = new Random();
            int first = LOWEST + (int) (ProcessHandle.current().pid() % BLOCKS) * BLOCK;
            while (open.size() < agents * 5) {
                try {
                    int port = first + random.nextInt(BLOCK);
                    open.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                } catch (IOException taken) {
                    // another one
                }
            }
            List<Integer> found = open.stream().map(ServerSocket::getLocalPort).toList();
            open.forEach(Ports::close);
            return Stream.iterate(0, i -> i + 5)
                    .limit(agents)
                    .map(i -> new Ports(
                            found.get(i), found.get(i + 1), found.get(i + 2), found.get(i + 3), found.get(i + 4)))
                    .toList();
        }

        private static void close(ServerSocket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Where its HTTP API listens. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + ports.http());
    }

    public int httpPort() {
        return ports.http();
    }

    /** Where it speaks TLS, if its configuration says so. */
    URI httpsUrl() {
        return URI.create("https://127.0.0.1:" + ports.https());
    }

    /** Where the other servers reach it, as Consul names its Raft leader. */
    String serverAddress() {
        return "127.0.0.1:" + ports.server();
    }

    /** Asks this very agent, without a token. */
    public ConsulAdmin admin() {
        return admin;
    }

    /** Its process runs, and is not frozen. */
    public boolean answers() {
        Process now = process;
        return now != null && now.isAlive() && !frozen;
    }

    /** Its process runs, frozen or not. */
    public boolean isAlive() {
        Process now = process;
        return now != null && now.isAlive();
    }

    /** SIGSTOP: connections are still accepted by the kernel, nothing answers. */
    public void freeze() {
        signal("STOP");
        frozen = true;
    }

    /** SIGCONT: requests sent meanwhile are executed. */
    public void thaw() {
        signal("CONT");
        frozen = false;
    }

    /** SIGTERM, and waits for the end. */
    public void stop() {
        end(Process::destroy);
    }

    /** SIGKILL, and waits for the end. Does nothing to an agent that has ended. */
    public void kill() {
        end(Process::destroyForcibly);
    }

    /** Starts the process with the data it has; does not wait until it serves. */
    public void start() {
        if (isAlive()) {
            throw new IllegalStateException("Consul " + name + " runs already");
        }
        List<String> command = new ArrayList<>(List.of(
                ConsulBinary.find().toString(),
                "agent",
                "-server",
                "-node=" + name,
                "-data-dir=" + home,
                "-bind=127.0.0.1",
                "-client=127.0.0.1",
                "-http-port=" + ports.http(),
                "-server-port=" + ports.server(),
                "-serf-lan-port=" + ports.serfLan(),
                "-serf-wan-port=" + ports.serfWan(),
                "-dns-port=-1",
                "-grpc-port=-1",
                "-hcl=session_ttl_min = \"1s\"",
                "-hcl=leave_on_terminate = false",
                "-hcl=disable_update_check = true"));
        hcl.forEach(more -> command.add("-hcl=" + more));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        frozen = false;
    }

    /** Waits until consistent reads are answered through this agent. */
    void awaitLeader() {
        await().atMost(UP).pollInterval(Duration.ofMillis(50)).until(() -> {
            if (!isAlive()) {
                throw new IllegalStateException("Consul ended while starting; see " + log);
            }
            return admin.hasLeader();
        });
    }

    /** What an agent that does not run would start with. */
    void deleteData() {
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(reaper);
        bury();
    }

    private void bury() {
        kill();
        deleteData();
    }

    private void end(Consumer<Process> how) {
        Process now = process;
        if (now == null) {
            return;
        }
        how.accept(now);
        try {
            if (!now.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Consul does not end; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void signal(String signal) {
        Process now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalStateException("Consul " + name + " does not run");
        }
        Signals.send(signal, now);
    }
}
