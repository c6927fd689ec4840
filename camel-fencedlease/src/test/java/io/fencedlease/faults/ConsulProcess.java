package io.fencedlease.faults;

import io.fencedlease.faults.ConsulAgent.Ports;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real Consul server as a child process on free loopback ports. It keeps its data over {@link #kill()} and {@link
 * #restart()}. Sessions may have a TTL of 1 s. Dies with this JVM.
 */
public final class ConsulProcess implements AutoCloseable {

    private static final String DENY = "acl { enabled = true default_policy = \"deny\" }";

    private final ConsulAgent agent;
    private String managementToken = "";

    private ConsulProcess(ConsulAgent agent) {
        this.agent = agent;
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

    /** A port found free may be taken by somebody else before the agent binds it: then other ports. */
    private static ConsulProcess start(List<String> more) {
        for (int attempt = 1; ; attempt++) {
            Ports ports = Ports.free(1).get(0);
            List<String> hcl = new ArrayList<>(more);
            hcl.add("bootstrap_expect = 1");
            hcl.add("performance { raft_multiplier = 1 }");
            hcl.add("ports { https = " + (more.isEmpty() ? -1 : ports.https()) + " }");
            ConsulAgent agent = new ConsulAgent("test-node", ports, hcl);
            try {
                agent.start();
                agent.awaitLeader();
                return new ConsulProcess(agent);
            } catch (IllegalStateException | ConditionTimeoutException e) {
                agent.close();
                if (attempt == 3) {
                    throw e;
                }
            }
        }
    }

    /** Where its HTTP API listens; the same over restarts. */
    public URI url() {
        return agent.url();
    }

    /** Where it speaks TLS, if started so. */
    public URI httpsUrl() {
        return agent.httpsUrl();
    }

    public int httpPort() {
        return agent.httpPort();
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
        agent.freeze();
    }

    /** SIGCONT: requests sent meanwhile are executed. */
    public void thaw() {
        agent.thaw();
    }

    /** SIGTERM, and waits for the end. */
    public void stop() {
        agent.stop();
    }

    /** SIGKILL, and waits for the end. */
    public void kill() {
        agent.kill();
    }

    /** Starts again with its data and on its ports, and waits for a leader. */
    public void restart() {
        agent.kill();
        agent.start();
        agent.awaitLeader();
    }

    /** Starts again with nothing, as after the loss of all disks: every index begins anew. */
    public void restartEmpty() {
        agent.kill();
        agent.deleteData();
        restart();
    }

    @Override
    public void close() {
        agent.close();
    }
}
