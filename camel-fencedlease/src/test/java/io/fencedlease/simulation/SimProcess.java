package io.fencedlease.simulation;

import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A process on a machine: one loop thread and any number of others. Whenever its code looks at a clock, starts a task or
 * calls the outside, the nemesis may pause that thread or the whole process, or kill it.
 */
final class SimProcess implements Ticker, Timers {

    /** Thrown through code whose process was killed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final class Task {
        private final long due;
        private final long order;
        private final Runnable code;
        private boolean cancelled;

        Task(long due, long order, Runnable code) {
            this.due = due;
            this.order = order;
            this.code = code;
        }
    }

    private static final Comparator<Task> BY_TIME =
            (a, b) -> a.due == b.due ? Long.compare(a.order, b.order) : Long.compare(a.due, b.due);

    final Machine machine;
    private final World world;
    private final Nemesis nemesis;
    private final PriorityQueue<Task> loop = new PriorityQueue<>(BY_TIME);
    private final PriorityQueue<Task> others = new PriorityQueue<>(BY_TIME);
    /** For raises: may block. */
    final Executor workers = this::onSomeThread;
    /** For callbacks: may not block. */
    final Executor callbacks = this::onSomeThread;

    private long frozenUntil;
    private boolean loopBusy;
    private boolean dead;

    SimProcess(Machine machine, World world, Nemesis nemesis) {
        this.machine = machine;
        this.world = world;
        this.nemesis = nemesis;
        world.join(this);
    }

    private void onSomeThread(Runnable task) {
        boundary();
        others(nemesis.threadDelay(), task);
    }

    String node() {
        return machine.name;
    }

    /** True time of the next task that can run. */
    long next() {
        Task first = others.peek();
        if (!loopBusy && !loop.isEmpty() && (first == null || BY_TIME.compare(loop.peek(), first) < 0)) {
            first = loop.peek();
        }
        return first == null ? Long.MAX_VALUE : Math.max(machine.trueTimeOf(first.due), gate());
    }

    private long gate() {
        return Math.max(frozenUntil, machine.suspendedUntil());
    }

    void runNext() {
        boolean isLoop =
                !loopBusy && !loop.isEmpty() && (others.isEmpty() || BY_TIME.compare(loop.peek(), others.peek()) < 0);
        Task task = isLoop ? loop.poll() : others.poll();
        if (task == null || task.cancelled) {
            return;
        }
        loopBusy |= isLoop;
        try {
            boundary();
            task.code.run();
        } catch (Killed killed) {
            // nothing of it goes on
        } catch (World.Spinning spinning) {
            throw spinning;
        } catch (Throwable bug) {
            world.bug(bug);
        } finally {
            loopBusy &= !isLoop;
        }
    }

    /** A point where the nemesis may strike. */
    void boundary() {
        strike(nemesis.pause());
    }

    /** A point where it likes to strike. */
    void weakPoint() {
        strike(nemesis.likelyPause());
    }

    private void strike(long pause) {
        if (world.mayNest()) {
            if (pause > 0) {
                boolean whole = nemesis.pausesWholeProcess();
                if (whole) {
                    freeze(pause);
                }
                world.runUntil(world.now() + pause);
            }
        }
        while (!dead && world.now() < gate()) {
            world.runUntil(gate());
        }
        if (dead) {
            throw new Killed();
        }
    }

    /** Nothing of this process runs for so long; its clocks do. */
    void freeze(long nanos) {
        frozenUntil = Math.max(frozenUntil, world.now() + nanos);
    }

    /** Blocks this thread until the future is done, at most for a while. */
    void await(CompletableFuture<?> future, long limit) {
        long end = world.now() + limit;
        while (!dead && !future.isDone() && world.step(end)) {
            // the rest of the world goes on
        }
        boundary();
    }

    void kill() {
        dead = true;
        loop.clear();
        others.clear();
        world.leave(this);
    }

    boolean dead() {
        return dead;
    }

    /** Something from outside comes in, on a thread of its own; during a pause it waits, and the order gets lost. */
    void arrives(Runnable code) {
        others(world.now() < gate() ? nemesis.disorder(gate() - world.now()) : 0, code);
    }

    /** Runs code on a thread of its own after a while of this machine's time. */
    void others(long delay, Runnable code) {
        otherAfter(delay, code);
    }

    /** The same; can be taken back. */
    Pending otherAfter(long delay, Runnable code) {
        Task task = new Task(machine.elapsed() + Math.max(0, delay), world.nextOrder(), code);
        if (!dead) {
            others.add(task);
        }
        return () -> task.cancelled = true;
    }

    @Override
    public long nanos() {
        boundary();
        return machine.nanos();
    }

    @Override
    public long wallMillis() {
        boundary();
        return machine.wallMillis();
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        boundary();
        Task added = new Task(machine.elapsed() + Math.max(0, delay.toNanos()), world.nextOrder(), task);
        loop.add(added);
        return () -> added.cancelled = true;
    }

    @Override
    public void close() {
        loop.clear();
    }
}
