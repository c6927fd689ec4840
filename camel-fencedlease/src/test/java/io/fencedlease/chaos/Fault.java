package io.fencedlease.chaos;

import io.fencedlease.chaos.Links.Target;
import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** What the nemesis can do. Wall clocks are left alone. */
enum Fault {
    /** SIGSTOP for longer than Consul keeps the session and the lock-delay, then SIGCONT. */
    PAUSED(Lane.NODES, 11_000, 16_000, (scene, random) -> {
        String node = scene.node(random);
        scene.nodes().pause(node);
        return new Blow(node, () -> scene.nodes().resume(node));
    }),
    PAUSED_BRIEFLY(Lane.NODES, 300, 3_500, PAUSED.strike),
    /** SIGSTOP, its session destroyed, SIGCONT when somebody else may write. */
    PAUSED_AND_EXPELLED(Lane.NODES, 3_000, 6_000, (scene, random) -> {
        String lease = scene.lease(random);
        String node = scene.holder(lease, random);
        scene.nodes().pause(node);
        scene.expelHolder(lease);
        return new Blow(node, () -> scene.nodes().resume(node));
    }),
    /** SIGKILL, and later another life. */
    KILLED(Lane.NODES, 500, 4_000, (scene, random) -> {
        String node = scene.node(random);
        scene.nodes().kill(node);
        return new Blow(node, () -> scene.nodes().start(node));
    }),
    /** SIGTERM: the planned stop, under whatever other fault there is; and later another life. */
    STOPPED(Lane.NODES, 500, 4_000, (scene, random) -> {
        String node = scene.node(random);
        scene.nodes().stop(node);
        return new Blow(node, () -> scene.nodes().start(node));
    }),

    CONSUL_CUT(Lane.LINKS, 1_000, 7_000, link(Target.CONSUL, (proxy, random) -> proxy.cut())),
    CONSUL_HANGS(Lane.LINKS, 1_000, 7_000, link(Target.CONSUL, (proxy, random) -> proxy.hang())),
    /** Consul executes what it is told, and nobody learns that. */
    CONSUL_UNHEARD(Lane.LINKS, 1_000, 7_000, link(Target.CONSUL, (proxy, random) -> proxy.hangAnswers(0))),
    CONSUL_SLOW(Lane.LINKS, 1_000, 7_000, link(Target.CONSUL, Fault::slow)),
    DATABASE_CUT(Lane.LINKS, 1_000, 5_000, link(Target.DATABASE, (proxy, random) -> proxy.cut())),
    DATABASE_HANGS(Lane.LINKS, 1_000, 7_000, link(Target.DATABASE, (proxy, random) -> proxy.hang())),
    DATABASE_UNHEARD(Lane.LINKS, 1_000, 7_000, link(Target.DATABASE, (proxy, random) -> proxy.hangAnswers(0))),
    DATABASE_SLOW(Lane.LINKS, 1_000, 7_000, link(Target.DATABASE, Fault::slow)),

    LEADER_KILLED(Lane.CONSUL, 1_000, 6_000, (scene, random) -> {
        int server = scene.consul().killLeader();
        return new Blow("server " + server, () -> scene.consul().restart(server));
    }),
    LEADER_FROZEN(Lane.CONSUL, 1_000, 6_000, (scene, random) -> {
        int server = scene.consul().freezeLeader();
        return new Blow("server " + server, () -> scene.consul().thaw());
    }),
    ALL_RESTARTED(Lane.CONSUL, 0, 1, (scene, random) -> {
        scene.consul().restartAll();
        return new Blow("all servers", () -> {});
    }),
    /** By an operator; its lock-delay follows. */
    SESSION_DESTROYED(Lane.CONSUL, 0, 1, (scene, random) -> {
        ConsulAdmin admin = scene.consul().admin();
        List<String> sessions = admin.sessions();
        if (!sessions.isEmpty()) {
            admin.destroySession(sessions.get(random.nextInt(sessions.size())));
        }
        return new Blow("some session", () -> {});
    }),
    /** By a vandal; no lock-delay follows, the next candidate has the lease at once. */
    KEY_DELETED(Lane.CONSUL, 0, 1, (scene, random) -> {
        String lease = scene.lease(random);
        scene.consul().admin().deleteKey("fencedlease/leases/" + lease);
        return new Blow(lease, () -> {});
    });

    /** Faults of one lane follow each other; lanes go on side by side. */
    enum Lane {
        NODES(3_000),
        LINKS(3_000),
        /** Each election gives every session its TTL anew, so too many of them would keep the leases of the dead for ever. */
        CONSUL(9_000);

        /** The longest time between two faults. */
        final int gapMillis;

        Lane(int gapMillis) {
            this.gapMillis = gapMillis;
        }
    }

    /** Strikes, and says how to heal it. */
    interface Strike {
        Blow at(Scene scene, Random random);
    }

    /**
     * A fault that lasts until it is healed.
     *
     * @param target what it hit, for people
     */
    record Blow(String target, Runnable heal) {}

    /** How often it is in the deck of its lane. */
    int weight() {
        return this == SESSION_DESTROYED || this == KEY_DELETED || this == PAUSED_AND_EXPELLED ? 2 : 1;
    }

    final Lane lane;
    final int minMillis;
    final int maxMillis;
    final Strike strike;

    Fault(Lane lane, int minMillis, int maxMillis, Strike strike) {
        this.lane = lane;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
        this.strike = strike;
    }

    private static Strike link(Target target, BiConsumer<TcpProxy, Random> fault) {
        return (scene, random) -> {
            String node = scene.node(random);
            Links links = scene.nodes().links(node);
            links.each(target, proxy -> fault.accept(proxy, random));
            return new Blow(node, () -> links.each(target, TcpProxy::heal));
        };
    }

    private static void slow(TcpProxy proxy, Random random) {
        proxy.delay(Duration.ofMillis(random.nextInt(30, 700)));
    }
}
