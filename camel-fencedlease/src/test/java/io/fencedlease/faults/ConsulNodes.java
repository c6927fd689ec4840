package io.fencedlease.faults;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several nodes in one JVM that want one lease of their own, with the journal of what their routes did. */
final class ConsulNodes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConsulNodes.class);

    final String lease = "it-" + UUID.randomUUID();
    final Journal journal = new Journal();
    private final ConsulProcess consul;
    private final ConsulAdmin admin;
    private final List<ConsulNode> nodes = new ArrayList<>();

    ConsulNodes(ConsulProcess consul) {
        this.consul = consul;
        this.admin = consul.admin();
    }

    /** Not started yet. */
    ConsulNode node(String name) {
        ConsulNode node = new ConsulNode(name, lease, consul.httpPort(), journal);
        nodes.add(node);
        return node;
    }

    /** A node whose route ticks, started. */
    ConsulNode ticking(String name, Way way) {
        return node(name).ticking(way).start();
    }

    /** A ticking node that runs already. */
    ConsulNode leading(String name, Way way) {
        ConsulNode node = ticking(name, way);
        eventually().until(() -> journal.ran(name));
        return node;
    }

    /** A ticking node that waits, and knows for whom. */
    ConsulNode waiting(String name, Way way) {
        ConsulNode node = ticking(name, way);
        eventually().until(node::knowsHolder);
        return node;
    }

    /** A planned stop of this node. */
    void stop(String name) {
        nodes.stream().filter(node -> node.name.equals(name)).forEach(ConsulNode::close);
    }

    String key() {
        return "fencedlease/leases/" + lease;
    }

    /** The session that holds the lease, empty if none does. */
    String holdingSession() {
        return admin.entry(key()).map(entry -> entry.path("Session").asText("")).orElse("");
    }

    /** Ends the holder's session from outside; the moment just before. */
    long destroyHoldersSession() {
        String session = holdingSession();
        long now = System.nanoTime();
        admin.destroySession(session);
        return now;
    }

    /** Generous: the conditions say what is right, the times of the tests are their own assertions. */
    static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** Checks a condition for so long. */
    static ConditionFactory during(Duration time) {
        return eventually().during(time);
    }

    /** For the build's log: how long something took. */
    static Duration measured(String what, long sinceNanos) {
        return measured(what, sinceNanos, System.nanoTime());
    }

    static Duration measured(String what, long fromNanos, long toNanos) {
        Duration took = Duration.ofNanos(toNanos - fromNanos);
        LOG.info("measured: {} took {} ms", what, took.toMillis());
        return took;
    }

    /** Stops all nodes at once: what they wait for, they wait for together. */
    @Override
    public void close() {
        List<Thread> closing = nodes.stream()
                .map(node -> new Thread(
                        () -> {
                            node.network.heal();
                            node.close();
                        },
                        "closing-" + node.name))
                .toList();
        closing.forEach(Thread::start);
        for (Thread thread : closing) {
            try {
                thread.join(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
