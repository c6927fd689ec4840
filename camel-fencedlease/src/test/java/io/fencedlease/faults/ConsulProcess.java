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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real Consul server as a child process on free loopback ports. It keeps its data over {@link #kill()} and {@link
 * #restart()}. Sessions may have a TTL of 1 s. Dies with this JVM.
 */
public final class ConsulProcess implements AutoCloseable {

    private static final Duration UP = Duration.ofSeconds(60);

    private static final String DENY = "acl { enabled = true default_policy = \"deny\" }";

    private final List<String> hcl;
    private final Path home;
    private final Path log;
    private final Thread reaper = new Thread(this::bury, "consul-reaper");
    private int[] ports = new int[0];
    private String managementToken = "";
    private volatile Process process;

    private ConsulProcess(List<String> hcl) throws IOException {
        this.hcl = hcl;
        Path target = Files.createDirectories(Path.of("target", "consul").toAbsolutePath());
        this.home = Files.createTempDirectory(target, "agent-");
        this.log = target.resolve(home.getFileName() + ".log");
        this.process = spawnOnFreePorts();
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /** A server without ACLs, that has a leader. */
    public static ConsulProcess start() {
        return start(List.of());
    }

    /** A server that denies by default; {@link #managementToken()} may do everything. */
    public static ConsulProcess startDenyingByDefault() {
        ConsulProcess consul = start(List.of(DENY));
        consul.managementToken = consul.admin().bootstrapAcls();
        return consul;
    }

    /** A server that also listens at {@link #httpsUrl()}, to those who show this certificate only. */
    public static ConsulProcess startWithMutualTls(TestCertificate shown) {
        return start(List.of(
                "ca_file = \"" + shown.certificate() + "\"",
                "cert_file = \"" + shown.certificate() + "\"",
                "key_file = \"" + shown.key() + "\"",
                "verify_incoming_https = true"));
    }

    private static ConsulProcess start(List<String> hcl) {
        try {
            return new ConsulProcess(hcl);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where its HTTP API listens; the same over restarts. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + httpPort());
    }

    /** Where it speaks TLS, if started so. */
    public URI httpsUrl() {
        return URI.create("https://127.0.0.1:" + ports[4]);
    }

    public int httpPort() {
        return ports[0];
    }

    /** Empty without ACLs. */
    public String managementToken() {
        return managementToken;
    }

    public ConsulAdmin admin() {
        return new ConsulAdmin(url(), managementToken);
    }

    /** SIGSTOP: connections are still accepted by the kernel, nothing answers. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT: requests sent meanwhile are executed. */
    public void thaw() {
        signal("CONT");
    }

    /** SIGTERM, and waits for the end. */
    public void stop() {
        process.destroy();
        awaitEnd();
    }

    /** SIGKILL, and waits for the end. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts again with its data and on its ports, and waits for a leader. */
    public void restart() {
        kill();
        try {
            process = spawn();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitLeader();
    }

    /** Starts again with nothing, as after the loss of all disks: every index begins anew. */
    public void restartEmpty() {
        kill();
        deleteData();
        restart();
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

    private void deleteData() {
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port found free may be taken by somebody else before the agent binds it: then other ports. */
    private Process spawnOnFreePorts() throws IOException {
        for (int attempt = 1; ; attempt++) {
            ports = freePorts();
            process = spawn();
            try {
                awaitLeader();
                return process;
            } catch (IllegalStateException | ConditionTimeoutException e) {
                kill();
                if (attempt == 3) {
                    throw e;
                }
            }
        }
    }

    private Process spawn() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ConsulBinary.find().toString(),
                "agent",
                "-server",
                "-bootstrap-expect=1",
                "-node=test-node",
                "-data-dir=" + home,
                "-bind=127.0.0.1",
                "-client=127.0.0.1",
                "-http-port=" + ports[0],
                "-server-port=" + ports[1],
                "-serf-lan-port=" + ports[2],
                "-serf-wan-port=" + ports[3],
                "-dns-port=-1",
                "-grpc-port=-1",
                "-hcl=performance { raft_multiplier = 1 }",
                "-hcl=ports { https = " + (hcl.isEmpty() ? -1 : ports[4]) + " }",
                "-hcl=session_ttl_min = \"1s\"",
                "-hcl=disable_update_check = true"));
        hcl.forEach(more -> command.add("-hcl=" + more));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void awaitLeader() {
        ConsulAdmin admin = admin();
        await().atMost(UP).pollInterval(Duration.ofMillis(50)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("Consul ended while starting; see " + log);
            }
            return admin.hasLeader();
        });
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Consul does not end; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void signal(String name) {
        try {
            int answer = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (answer != 0) {
                throw new IllegalStateException("kill -" + name + " answered " + answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int[] freePorts() throws IOException {
        ServerSocket[] open = new ServerSocket[5];
        for (int i = 0; i < open.length; i++) {
            open[i] = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        }
        int[] found = Arrays.stream(open).mapToInt(ServerSocket::getLocalPort).toArray();
        for (ServerSocket socket : open) {
            socket.close();
        }
        return found;
    }
}
