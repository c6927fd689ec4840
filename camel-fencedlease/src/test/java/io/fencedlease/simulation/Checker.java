package io.fencedlease.simulation;

import io.fencedlease.simulation.History.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Judges a {@link History} by what the leases promise. Knows nothing of how the history came about; a rule whose events a
 * history does not have judges nothing.
 */
public final class Checker {

    /** The rules, with the promise of the design that each belongs to. */
    public enum Rule {
        /** P1: no token twice; a tenure asked for after another was gained has a higher one; so have later grants. */
        TOKENS_RISE,
        /** P2: a node writes and raises only under tenures of its own. */
        OWN_TENURE,
        /** P3: a tenure's fence is raised before its first write is tried. */
        RAISED_FIRST,
        /** P3: after a raise the resource accepts nothing of a lower token, nor of another tenure's equal one. */
        MARK_ONLY_RISES,
        /** P4: no belief later than the own deadlines, by the node's own clocks. */
        BELIEF_ENDS,
        /** Loss is told exactly once for each tenure gained, and before the next gain on that node. */
        LOSS_TOLD_ONCE,
        /** A node gains the next tenure only after it closed the one before. */
        CLOSED_BEFORE_NEXT,
        /** P5: nobody holds before a planned stop's work has ended, if nothing is broken. */
        PLANNED_STOP,
        /** After a planned stop somebody who waits holds within the bound: no lock-delay, if nothing is broken. */
        HAND_OVER,
        /** Nobody believes once the service gave the lease to another, unless a fault excuses it. */
        EXCLUSION,
        /** Once all faults have ended, somebody who asks holds within the bound. */
        LIVENESS,
        /** In the end no session is left. */
        NO_LEAK
    }

    /**
     * What the rules are measured with.
     *
     * @param belief how long a proof may be believed
     * @param settling how long after a fault its consequences may last
     * @param liveness from the end of the last fault to a holder
     * @param handOver from the end of a planned stop to the next holder
     * @param voidsExclusion the faults after which a tenure that was granted before may overlap with the next
     */
    public record Bounds(
            Duration belief,
            Duration settling,
            Duration liveness,
            Duration handOver,
            Predicate<String> voidsExclusion) {}

    /** A broken rule and the event that broke it. */
    public record Violation(Rule rule, String detail, Event event) {

        @Override
        public String toString() {
            return rule + ": " + detail + "\n    " + event;
        }
    }

    /** Where a book of rules writes down what it finds. */
    interface Findings {
        void broken(Rule rule, String detail, Event event);
    }

    /** Some rules with what they remember of the events so far. */
    interface Book {
        /** Sees each event, in order. */
        void see(Event event);

        /** After the last one, which this is. */
        default void end(Event last) {}
    }

    private static final int TAIL = 60;

    private final Bounds bounds;

    public Checker(Bounds bounds) {
        this.bounds = bounds;
    }

    /** What is broken; empty if nothing is. */
    public List<Violation> check(History history) {
        List<Event> events = history.events();
        List<Violation> violations = new ArrayList<>();
        if (events.isEmpty()) {
            return violations;
        }
        Findings findings = (rule, detail, event) -> violations.add(new Violation(rule, detail, event));
        List<Book> books = List.of(
                new TenureRules(findings),
                new FenceRules(findings),
                new BeliefRules(findings, bounds),
                new CalmRules(findings, bounds),
                new LivenessRules(findings, bounds));
        for (Event event : events) {
            for (Book book : books) {
                book.see(event);
            }
        }
        books.forEach(book -> book.end(events.get(events.size() - 1)));
        return violations;
    }

    /** @throws AssertionError with what is broken and the history up to it */
    public void assertKept(History history) {
        List<Violation> violations = check(history);
        if (!violations.isEmpty()) {
            throw new AssertionError(describe(history, violations));
        }
    }

    /** What is broken, and the last events up to the first violation. */
    public static String describe(History history, List<Violation> violations) {
        StringBuilder text = new StringBuilder();
        violations.stream().limit(5).forEach(v -> text.append(v).append('\n'));
        List<Event> events = history.events();
        int end = events.indexOf(violations.get(0).event()) + 1;
        text.append("the history up to the first of ").append(violations.size()).append(":\n");
        events.subList(Math.max(0, end - TAIL), end).forEach(e -> text.append(e).append('\n'));
        return text.toString();
    }
}
