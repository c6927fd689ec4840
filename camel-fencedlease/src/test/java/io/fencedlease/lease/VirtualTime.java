package io.fencedlease.lease;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop and its clocks in virtual time: nothing runs and no time passes but by {@link #advance}. */
public final class VirtualTime implements Timers, Ticker {

    private record Task(long at, long order, Runnable task, boolean[] cancelled) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
    private long now = 1_000_000_000L;
    private long wallOffset = 1_700_000_000_000L;
    private long orders;

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long wallMillis() {
        return wallOffset + now / 1_000_000;
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        boolean[] cancelled = {false};
        tasks.add(new Task(now + Math.max(0, delay.toNanos()), orders++, task, cancelled));
        return () -> cancelled[0] = true;
    }

    /** Runs everything that is due within this span, each at its time. */
    public void advance(Duration span) {
        long end = now + span.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at() <= end) {
            Task next = tasks.poll();
            now = Math.max(now, next.at());
            if (!next.cancelled()[0]) {
                next.task().run();
            }
        }
        now = end;
    }

    /** How many tasks wait for their time. */
    long pending() {
        return tasks.stream().filter(task -> !task.cancelled()[0]).count();
    }

    /** The process is frozen: both clocks go on, nothing runs. */
    public void freeze(Duration span) {
        now += span.toNanos();
    }

    /** The wall clock steps, as by a person, NTP or a suspension of the machine. */
    public void stepWallClock(Duration by) {
        wallOffset += by.toMillis();
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
