package io.fencedlease.simulation;

import io.fencedlease.simulation.History.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * True time, and what happens in it: events of the world itself (messages under way, faults) and tasks of processes.
 * One thread runs it all. Whoever is paused or blocked runs the rest of the world meanwhile, from inside its pause.
 */
final class World {

    private record Happening(long at, long order, Runnable what) {}

    /** Thrown when so much happens that somebody must be asking again and again, without any pause. */
    static final class Spinning extends Error {
        private static final long serialVersionUID = 1L;

        Spinning(long now) {
            super("the world does not get beyond " + now / 1e9 + " s");
        }
    }

    private static final int MOST_STEPS = 1_000_000;
    private static final int DEEPEST = 12;

    final History history = new History();
    final RandomGenerator random;
    private final PriorityQueue<Happening> happenings =
            new PriorityQueue<>(Comparator.comparingLong(Happening::at).thenComparingLong(Happening::order));
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<Throwable> bugs = new ArrayList<>();
    private Runnable afterEach = () -> {};
    private long now;
    private long orders;
    private int depth;
    private int steps;

    World(RandomGenerator random) {
        this.random = random;
    }

    long now() {
        return now;
    }

    void after(long nanos, Runnable what) {
        happenings.add(new Happening(now + Math.max(0, nanos), orders++, what));
    }

    void join(SimProcess process) {
        processes.add(process);
    }

    void leave(SimProcess process) {
        processes.remove(process);
    }

    long nextOrder() {
        return orders++;
    }

    /** Looks at the world after whatever happens in it. */
    void look(Runnable look) {
        afterEach = look;
    }

    /** A task that failed as no task may. */
    void bug(Throwable bug) {
        bugs.add(bug);
    }

    List<Throwable> bugs() {
        return bugs;
    }

    /** Whether one more pause inside of pauses is still bearable. */
    boolean mayNest() {
        return depth < DEEPEST;
    }

    void runUntil(long moment) {
        depth++;
        try {
            while (step(moment)) {
                // until nothing is left to happen before
            }
        } finally {
            depth--;
        }
    }

    /** Does the next thing up to this moment; if there is none, it is that moment and the answer is false. */
    boolean step(long moment) {
        if (++steps > MOST_STEPS) {
            throw new Spinning(now);
        }
        SimProcess first = null;
        long at = happenings.isEmpty() ? Long.MAX_VALUE : happenings.peek().at();
        for (int i = 0; i < processes.size(); i++) {
            long next = processes.get(i).next();
            if (next < at) {
                at = next;
                first = processes.get(i);
            }
        }
        if (at > moment) {
            now = Math.max(now, moment);
            return false;
        }
        now = Math.max(now, at);
        if (first != null) {
            first.runNext();
        } else {
            happenings.poll().what().run();
            afterEach.run();
        }
        return true;
    }

    void fault(Kind kind, String node, String what) {
        history.add(now, kind, node, "", what);
    }
}
