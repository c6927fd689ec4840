package io.fencedlease.simulation;

import io.fencedlease.simulation.Checker.Violation;
import io.fencedlease.simulation.History.Event;
import io.fencedlease.simulation.History.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs schedules, in a process of its own: first those that failed once, then a range of seeds. Properties: {@code
 * simulation.seed} (the first, 1), {@code simulation.schedules} (how many, 10,000). Its exit code is 1 if a rule was broken.
 */
final class Simulation {

    /** Enough to see a pattern. */
    private static final int MOST_FAILURES = 3;

    private final PrintStream out;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Map<Kind, Long> counts = new TreeMap<>();

    private Simulation(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        long first = Long.getLong("simulation.seed", 1);
        int schedules = Integer.getInteger("simulation.schedules", 10_000);
        endWithOurParent();
        System.exit(new Simulation(System.out).run(first, schedules) ? 0 : 1);
    }

    private static void endWithOurParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // nothing is expected
                }
                Runtime.getRuntime().halt(2);
            } catch (IOException closed) {
                Runtime.getRuntime().halt(2);
            }
        });
        watch.setDaemon(true);
        watch.start();
    }

    private boolean run(long first, int schedules) throws Exception {
        long began = System.nanoTime();
        if (schedules > 1) {
            for (long seed : failedSeeds()) {
                one(seed, false);
            }
        }
        AtomicLong next = new AtomicLong(first);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(new Thread(() -> {
                for (long seed = next.getAndIncrement(); seed < first + schedules; seed = next.getAndIncrement()) {
                    if (failures.get() >= MOST_FAILURES) {
                        return;
                    }
                    one(seed, schedules == 1);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf(
                Locale.ROOT,
                "%d schedules from seed %d in %.1f s, %.0f a second; %s%n",
                done.get(),
                first,
                seconds,
                done.get() / seconds,
                counts);
        return failures.get() == 0 && (schedules < 1_000 || meaningful());
    }

    private void one(long seed, boolean show) {
        Schedule schedule = new Schedule(seed);
        List<Violation> violations = new ArrayList<>();
        Throwable bug = null;
        try {
            violations.addAll(schedule.run());
            bug = schedule.bugs().isEmpty() ? null : schedule.bugs().get(0);
        } catch (Throwable thrown) {
            bug = thrown;
        }
        List<Event> events = schedule.history().events();
        synchronized (this) {
            done.incrementAndGet();
            events.forEach(event -> counts.merge(event.kind(), 1L, Long::sum));
            if (show) {
                events.forEach(out::println);
            }
            if (bug != null || !violations.isEmpty()) {
                failures.incrementAndGet();
                out.println("SEED " + seed + " FAILED");
                if (bug != null) {
                    bug.printStackTrace(out);
                }
                if (!violations.isEmpty()) {
                    out.println(Checker.describe(schedule.history(), violations));
                }
                out.println("replay: mvn -pl camel-fencedlease test -Dtest=SimulationTest -Dsimulation.seed=" + seed
                        + " -Dsimulation.schedules=1");
            }
        }
    }

    /** A simulation in which nothing happens would keep every rule. */
    private boolean meaningful() {
        for (Kind kind : List.of(
                Kind.GAINED,
                Kind.LOST,
                Kind.WRITE_ACCEPTED,
                Kind.WRITE_REFUSED,
                Kind.PLANNED,
                Kind.NODE_KILLED,
                Kind.BELIEVED)) {
            if (counts.getOrDefault(kind, 0L) < done.get() / 100) {
                out.println("hardly any " + kind + ": the simulation proves nothing");
                return false;
            }
        }
        return true;
    }

    static List<Long> failedSeeds() throws IOException {
        InputStream file = Objects.requireNonNull(Simulation.class.getResourceAsStream("failed-seeds.txt"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .map(Long::valueOf)
                    .toList();
        }
    }
}
