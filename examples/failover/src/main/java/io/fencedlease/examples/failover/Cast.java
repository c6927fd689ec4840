package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/** The nodes by name; turns what they say into events. Thread-safe. */
final class Cast {

    private final Children children;
    private final List<String> properties;
    private final Timeline timeline;
    private final LedgerWatch watch;
    private final ScheduledExecutorService thread;
    private final Map<String, NodeProcess> nodes = new HashMap<>();

    /**
     * @param properties of every node's JVM
     * @param thread the watch's thread; messages are handled there as well, so both agree on the order
     */
    Cast(
            Children children,
            List<String> properties,
            Timeline timeline,
            LedgerWatch watch,
            ScheduledExecutorService thread) {
        this.children = children;
        this.properties = properties;
        this.timeline = timeline;
        this.watch = watch;
        this.thread = thread;
    }

    void start(String name) throws IOException {
        List<String> own = new ArrayList<>(properties);
        own.add("-Dnode=" + name);
        timeline.add(name, Type.STARTED, 0, 0, "JVM started");
        Process process = children.start(name, Node.class, own, List.of());
        NodeProcess node = new NodeProcess(
                name, process, children.log(name), message -> thread.execute(() -> heard(name, message)));
        nodes.put(name, node);
        node.ended().thenAccept(ended -> thread.execute(() -> ended(name, ended.exitValue())));
    }

    NodeProcess get(String name) {
        return nodes.get(name);
    }

    private void ended(String name, int exitCode) {
        if (children.closing()) {
            return;
        }
        // before the event: the script may start the node's next life as soon as it sees it
        boolean asked = stopping(name);
        timeline.add(name, Type.ENDED, 0, 0, "JVM ended");
        if (!asked) {
            timeline.broken("node " + name + " ended by itself, exit code " + exitCode);
        }
    }

    /** Whether its last life is to end. */
    private boolean stopping(String name) {
        return timeline.events().stream()
                .filter(e -> e.node().equals(name))
                .filter(e -> e.type() == Type.STARTED || e.type() == Type.STOPPING)
                .reduce((a, b) -> b)
                .filter(e -> e.type() == Type.STOPPING)
                .isPresent();
    }

    private void heard(String name, NodeMessage message) {
        long token = message.token();
        switch (message.kind()) {
            case WAITING -> timeline.add(name, Type.CANDIDATE, 0, 0, message.text());
            case WORKING -> {
                watch.tenureBegan(token);
                timeline.add(name, Type.ACQUIRED, token, 0, "its route runs");
            }
            case AT ->
                timeline.add(
                        name,
                        Type.AT_POINT,
                        token,
                        0,
                        PausePoint.valueOf(message.text()).words());
            case REFUSED -> timeline.add(name, Type.REFUSED, token, 0, message.text());
            case WARNED -> timeline.add(name, Type.WARNS, token, 0, message.text());
            case LOST -> {
                boolean planned = stopping(name);
                timeline.add(
                        name,
                        planned ? Type.RELEASED : Type.LOST,
                        token,
                        0,
                        planned ? "gave the lease back" : message.text());
            }
        }
    }
}
