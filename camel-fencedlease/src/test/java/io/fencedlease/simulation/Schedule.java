package io.fencedlease.simulation;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.LeasesDoor;
import io.fencedlease.simulation.Checker.Bounds;
import io.fencedlease.simulation.Checker.Violation;
import io.fencedlease.simulation.History.Kind;
import io.fencedlease.simulation.Nemesis.Weather;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One run, decided by its seed alone: some nodes work under a lease while the nemesis breaks things; then nothing is
 * broken any more; then all is closed in order.
 */
final class Schedule {

    static final LeaseName LEASE = new LeaseName("closer");
    static final LeaseSettings SETTINGS =
            LeaseSettings.builder("closer").ttl(Duration.ofSeconds(10)).build();

    /** What may happen to nodes, from outside. */
    private enum Strike {
        WEATHER,
        FREEZE,
        SUSPEND,
        STEP_WALL_CLOCK,
        KILL,
        RESTART,
        MISFORTUNE,
        BACK_UP,
        HAND_OVER
    }

    private static final long SECOND = Nemesis.SECOND;
    private static final long LIVENESS =
            SETTINGS.failoverBound().plus(SETTINGS.ttl()).plusSeconds(5).toNanos();
    private static final long HAND_OVER = 3 * SECOND / 2;

    private final World world;
    private final Nemesis nemesis;
    private final ConsulService service;
    private final long faultsEnd;
    private final boolean thorough;
    private final List<Resource> resources = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Strike> strikes = new ArrayList<>();
    private final long betweenStrikes;

    Schedule(long seed) {
        world = new World(new SplittableRandom(seed));
        faultsEnd = (15 + world.random.nextInt(45)) * SECOND;
        thorough = world.random.nextInt(4) == 0;
        nemesis = new Nemesis(world, SETTINGS, faultsEnd);
        for (Strike strike : Strike.values()) {
            if (world.random.nextBoolean()) {
                strikes.add(strike);
            }
        }
        betweenStrikes = SECOND << world.random.nextInt(1, 6);
        service = new ConsulService(world, nemesis, machine("service"), LEASE);
        world.look(service::look);
        for (int i = 0; i <= world.random.nextInt(2); i++) {
            resources.add(new Resource("table " + i, world));
        }
        int count = 2 + world.random.nextInt(3);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(machine(String.valueOf((char) ('A' + i)))));
        }
    }

    private Machine machine(String name) {
        long rate = world.random.nextLong(-5_000, 5_001);
        long origin = world.random.nextInt(4) == 0
                ? Long.MAX_VALUE - world.random.nextLong(60 * SECOND)
                : world.random.nextLong();
        return new Machine(name, world, rate, origin, 1_700_000_000_000L + world.random.nextLong(10_000_000));
    }

    /** What is broken; empty if nothing is. */
    List<Violation> run() {
        world.fault(Kind.FAULT_BEGUN, "", "nemesis");
        if (!strikes.isEmpty()) {
            strikeLater();
        }
        world.runUntil(faultsEnd);
        world.fault(Kind.FAULT_ENDED, "", "nemesis");
        untilSomebodyHolds();
        nodes.forEach(node -> node.process.others(0, () -> node.job.handOver()));
        world.runUntil(world.now() + HAND_OVER + SECOND / 10);
        nodes.forEach(node -> node.process.others(0, () -> node.job.finish()));
        world.runUntil(world.now() + SECOND);
        nodes.forEach(node -> node.process.others(0, () -> LeasesDoor.endInOrder(node.leases)));
        world.runUntil(world.now() + 2 * SECOND);
        if (thorough) {
            service.sessions().forEach(id -> world.history.add(world.now(), Kind.SESSION_OPENED, "", "", id));
        }
        world.history.add(world.now(), Kind.ENDED, "", "", "");
        return new Checker(bounds()).check(world.history);
    }

    /** At most the bound; all of it now and then, so that the sessions of the dead end and calm comes back. */
    private void untilSomebodyHolds() {
        long bound = world.now() + LIVENESS;
        while (world.now() <= bound && (thorough || nodes.stream().noneMatch(node -> node.job.holds()))) {
            world.runUntil(world.now() + SECOND);
        }
        world.runUntil(world.now() + SECOND);
    }

    History history() {
        return world.history;
    }

    List<Throwable> bugs() {
        return world.bugs();
    }

    private Bounds bounds() {
        // a suspension and a step back of the wall clock hide each other
        boolean steps = strikes.contains(Strike.STEP_WALL_CLOCK);
        return new Bounds(
                SETTINGS.beliefSpan(),
                Duration.ofNanos(LIVENESS),
                Duration.ofNanos(LIVENESS),
                Duration.ofNanos(HAND_OVER),
                fault -> service.isRobbery(fault) || steps && fault.equals("suspended"));
    }

    private void strikeLater() {
        world.after(nemesis.upTo(betweenStrikes), () -> {
            if (!nemesis.isOver()) {
                Node node = nodes.get(world.random.nextInt(nodes.size()));
                strike(strikes.get(world.random.nextInt(strikes.size())), node);
                strikeLater();
            }
        });
    }

    private void strike(Strike strike, Node node) {
        switch (strike) {
            case WEATHER -> weather(node);
            case FREEZE -> {
                long length = nemesis.duringFaults(nemesis.someLength());
                brokenFor(length, node, "frozen");
                node.process.freeze(length);
            }
            case SUSPEND -> {
                long length = nemesis.duringFaults(nemesis.someLength());
                brokenFor(length, node, "suspended");
                node.machine.suspend(length);
            }
            case STEP_WALL_CLOCK -> {
                long step = nemesis.someLength() / Nemesis.MILLI * (world.random.nextBoolean() ? 1 : -1);
                brokenFor(0, node, "wall clock steps " + step + " ms");
                node.machine.stepWallClock(step);
            }
            case KILL -> node.kill();
            case RESTART -> node.restart();
            case MISFORTUNE -> service.misfortune(node.machine.name);
            case BACK_UP -> service.backUp();
            case HAND_OVER -> node.process.others(0, () -> node.job.handOver());
        }
    }

    private void weather(Node node) {
        Weather weather = Weather.values()[world.random.nextInt(Weather.values().length)];
        String side = world.random.nextInt(3) == 0 ? "resource" : ConsulService.SIDE;
        nemesis.weather(node.machine.name, side, weather);
        long length = nemesis.duringFaults(nemesis.someLength());
        brokenFor(length, node, weather + " to " + side);
        world.after(length, () -> nemesis.weather(node.machine.name, side, Weather.FAIR));
    }

    private void brokenFor(long length, Node node, String what) {
        world.fault(Kind.FAULT_BEGUN, node.machine.name, what);
        world.after(length, () -> world.fault(Kind.FAULT_ENDED, node.machine.name, what));
    }

    /** A machine with the process that runs on it now. */
    private final class Node {

        final Machine machine;
        SimProcess process;
        Leases leases;
        Job job;

        Node(Machine machine) {
            this.machine = machine;
            boot(nemesis.upTo(SECOND));
        }

        private void boot(long after) {
            process = new SimProcess(machine, world, nemesis);
            leases = LeasesDoor.open(
                    new Witness(service.client(process), process, world, service.owners),
                    SETTINGS,
                    machine.name,
                    process,
                    process.workers,
                    process.callbacks,
                    new SplittableRandom(world.random.nextLong()));
            job = new Job(world, nemesis, process, leases, LEASE, resources);
            process.others(after, job::ask);
        }

        void kill() {
            world.history.add(world.now(), Kind.NODE_KILLED, machine.name, "", "");
            process.kill();
            boot(nemesis.someLength());
        }

        /** The process ends in order, if it can within some seconds. */
        void restart() {
            SimProcess old = process;
            old.others(0, job::finish);
            old.others(nemesis.upTo(5 * SECOND), () -> LeasesDoor.endInOrder(leases));
            world.after(nemesis.duringFaults(10 * SECOND), () -> {
                if (process == old) {
                    kill();
                }
            });
        }
    }
}
