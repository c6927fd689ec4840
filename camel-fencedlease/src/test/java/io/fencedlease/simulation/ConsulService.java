package io.fencedlease.simulation;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import io.fencedlease.lease.consul.LockDelays;
import io.fencedlease.lease.consul.SimulatedConsul;
import io.fencedlease.lease.consul.SimulatedRights;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.simulation.History.Kind;
import io.fencedlease.simulation.Nemesis.Weather;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The simulated Consul in this world: clients over a bad network, and what befalls Consul itself. */
final class ConsulService {

    /** What befalls it by itself, by strangers, or by its operators. */
    enum Misfortune {
        SESSION_DESTROYED,
        KEY_DELETED,
        KEY_OVERWRITTEN,
        ELECTION,
        QUORUM_LOST,
        LEADER_DEPOSED,
        SERVERS_FROZEN,
        SERVERS_RESTARTED,
        SNAPSHOT_RESTORED,
        RIGHT_REVOKED
    }

    /** After these two nodes may rightly believe at a time. */
    private static final Set<String> ROBBERIES = Set.of(
            Misfortune.SESSION_DESTROYED.name(),
            Misfortune.KEY_DELETED.name(),
            Misfortune.KEY_OVERWRITTEN.name(),
            Misfortune.SNAPSHOT_RESTORED.name());

    /** How long a leader that was deposed can go on without noticing. */
    private static final long UNAWARE = Nemesis.SECOND / 2;

    private static final SimulatedRights EVERYTHING =
            SimulatedRights.sessions("write").andKeys("", "write");

    static final String SIDE = "service";

    private final World world;
    private final Nemesis nemesis;
    private final SimulatedConsul consul;
    private final String key;
    private final LeaseName lease;
    private final List<Misfortune> possible = new ArrayList<>();
    /** Which node opened a session. */
    final Map<String, String> owners = new HashMap<>();

    private SimulatedConsul.Snapshot backup;
    private boolean outage;
    private String lastHolder = "";
    private long lastIndex;
    private long highestIndex;

    ConsulService(World world, Nemesis nemesis, Machine server, LeaseName lease) {
        this.world = world;
        this.nemesis = nemesis;
        this.lease = lease;
        this.key = "fencedlease/leases/" + lease.value();
        this.consul = new SimulatedConsul(clock(server), timers(server), world.random.nextLong());
        for (Misfortune misfortune : Misfortune.values()) {
            if (world.random.nextInt(3) == 0) {
                possible.add(misfortune);
            }
        }
        if (world.random.nextBoolean()) {
            consul.expireBetween(1, 2);
        }
        consul.denyByDefault();
        backup = consul.snapshot();
    }

    private static Ticker clock(Machine server) {
        return new Ticker() {
            @Override
            public long nanos() {
                return server.elapsed();
            }

            @Override
            public long wallMillis() {
                return server.wallMillis();
            }
        };
    }

    private Timers timers(Machine server) {
        return new Timers() {
            @Override
            public void execute(Runnable task) {
                world.after(0, task);
            }

            @Override
            public Pending after(Duration delay, Runnable task) {
                boolean[] cancelled = {false};
                long due = server.trueTimeOf(server.elapsed() + delay.toNanos());
                world.after(due - world.now(), () -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                });
                return () -> cancelled[0] = true;
            }

            @Override
            public void close() {}
        };
    }

    /** The real backend of a process. */
    LeaseBackend client(SimProcess process) {
        String node = process.node();
        consul.grant(node, EVERYTHING);
        return consul.client(node, node, new Incoming(process), (client, request) -> {
            process.boundary();
            return nemesis.fate(nemesis.weather(node, SIDE));
        });
    }

    /** Answers are taken in by other threads than the loop, if the network lets them through at that moment. */
    private final class Incoming implements Timers {

        private final SimProcess process;

        Incoming(SimProcess process) {
            this.process = process;
        }

        @Override
        public void execute(Runnable task) {
            Weather weather = nemesis.weather(process.node(), SIDE);
            if (weather != Weather.CUT && weather != Weather.MUTE) {
                process.arrives(task);
            }
        }

        @Override
        public Pending after(Duration delay, Runnable task) {
            return process.otherAfter(delay.toNanos(), task);
        }

        @Override
        public void close() {}
    }

    /** Writes down to whom the lease was given, if it was since the last look. */
    void look() {
        String holder = consul.holderOf(key);
        long index = consul.modifyIndex(key).orElse(0L);
        if (index == lastIndex && holder.equals(lastHolder)) {
            return;
        }
        lastIndex = index;
        lastHolder = holder;
        if (!holder.isEmpty() && index > highestIndex) {
            Tenure tenure = new Tenure(lease, new FencingToken(index), "");
            world.history.add(world.now(), Kind.GRANTED, owners.getOrDefault(holder, "?"), tenure, "");
        }
        highestIndex = Math.max(highestIndex, index);
    }

    boolean isRobbery(String fault) {
        return ROBBERIES.contains(fault);
    }

    List<String> sessions() {
        return consul.sessions();
    }

    void misfortune(String node) {
        if (possible.isEmpty()) {
            return;
        }
        Misfortune what = possible.get(world.random.nextInt(possible.size()));
        long length = nemesis.duringFaults(nemesis.someLength());
        boolean isOutage = Set.of(
                        Misfortune.ELECTION,
                        Misfortune.QUORUM_LOST,
                        Misfortune.LEADER_DEPOSED,
                        Misfortune.SERVERS_FROZEN,
                        Misfortune.SERVERS_RESTARTED,
                        Misfortune.SNAPSHOT_RESTORED)
                .contains(what);
        if (isOutage && outage) {
            return;
        }
        world.fault(Kind.FAULT_BEGUN, node, what.name());
        outage |= isOutage;
        Runnable end = begin(what, node, length);
        world.after(what == Misfortune.LEADER_DEPOSED ? Math.min(length, UNAWARE) : length, () -> {
            end.run();
            outage &= !isOutage;
            world.fault(Kind.FAULT_ENDED, node, what.name());
        });
    }

    /** Answers what ends it. */
    private Runnable begin(Misfortune what, String node, long length) {
        switch (what) {
            case SESSION_DESTROYED -> anySession().forEach(consul::endSession);
            case KEY_DELETED -> consul.deleteKey(key);
            case KEY_OVERWRITTEN -> consul.overwriteKey(key, "by a stranger");
            case ELECTION -> consul.elect(lockDelays());
            case QUORUM_LOST -> {
                consul.loseQuorum();
                return () -> consul.elect(lockDelays());
            }
            case LEADER_DEPOSED -> {
                consul.depose(node, lockDelays());
                return () -> consul.rejoin(node);
            }
            case SERVERS_FROZEN -> {
                consul.freeze();
                return consul::thaw;
            }
            case SERVERS_RESTARTED -> {
                consul.stop();
                return () -> consul.start(lockDelays());
            }
            case SNAPSHOT_RESTORED -> {
                consul.restore(backup);
                backup = consul.snapshot();
            }
            case RIGHT_REVOKED -> {
                switch (world.random.nextInt(3)) {
                    case 0 -> consul.deleteToken(node);
                    case 1 -> consul.grant(node, SimulatedRights.sessions("write"));
                    default ->
                        consul.grant(node, SimulatedRights.sessions("write").andKeys("", "read"));
                }
                return () -> consul.grant(node, EVERYTHING);
            }
        }
        return () -> {};
    }

    /** Now and then the state of this moment is kept, to be restored later. */
    void backUp() {
        backup = consul.snapshot();
    }

    private List<String> anySession() {
        List<String> sessions = consul.sessions();
        String holder = consul.holderOf(key);
        if (!holder.isEmpty() && world.random.nextBoolean()) {
            return List.of(holder);
        }
        return sessions.isEmpty() ? sessions : List.of(sessions.get(world.random.nextInt(sessions.size())));
    }

    private LockDelays lockDelays() {
        return LockDelays.values()[world.random.nextInt(LockDelays.values().length)];
    }
}
