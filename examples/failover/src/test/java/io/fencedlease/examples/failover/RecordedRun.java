package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A short run as the director would have recorded it: A closes 1 and 2, is paused, B takes over, A wakes up. */
final class RecordedRun {

    final List<Event> events = new ArrayList<>();
    final List<Entry> ledger = new ArrayList<>();
    final List<Handover> handovers = new ArrayList<>();

    /** A's write of batch 3 after its pause is refused. */
    static RecordedRun fenced() {
        RecordedRun run = untilAWakesUp();
        run.event(9_100, "A", Type.REFUSED, 7, 0, "batch 3, FencedOutException: its mark is 9");
        run.event(9_200, "A", Type.LOST, 7, 0, "fenced out");
        run.event(9_300, "A", Type.CANDIDATE, 0, 0, "waits");
        run.accepted(9_500, "B", 9, 4);
        return run;
    }

    /** A's write of batch 3 after its pause is accepted. */
    static RecordedRun unfenced() {
        RecordedRun run = untilAWakesUp();
        run.ledger.add(new Entry(run.ledger.size() + 1, 3, "A", 7, new BigDecimal("10.50")));
        run.event(9_100, "A", Type.STALE, 7, 3, "batch 3 written, though token 9 works already");
        run.event(9_300, "A", Type.CANDIDATE, 0, 0, "waits");
        run.accepted(9_500, "B", 9, 4);
        return run;
    }

    private static RecordedRun untilAWakesUp() {
        RecordedRun run = new RecordedRun();
        run.event(0, "", Type.NOTE, 0, 0, "the demo <begins>");
        run.event(100, "A", Type.STARTED, 0, 0, "JVM started");
        run.event(1_000, "A", Type.ACQUIRED, 7, 0, "route runs");
        run.event(1_200, "B", Type.STARTED, 0, 0, "JVM started");
        run.accepted(1_500, "A", 7, 1);
        run.accepted(2_000, "A", 7, 2);
        run.event(3_000, "A", Type.PAUSED, 7, 0, "SIGSTOP");
        run.event(8_000, "B", Type.ACQUIRED, 9, 0, "route runs");
        run.handovers.add(new Handover("paused before its write", "A", 7, "B", 9, 8_000, 5_000, 7_800));
        run.accepted(8_500, "B", 9, 3);
        run.event(9_000, "A", Type.RESUMED, 7, 0, "SIGCONT");
        return run;
    }

    void event(long millis, String node, Type type, long token, int batch, String text) {
        events.add(new Event(millis, node, type, token, batch, text));
    }

    void accepted(long millis, String node, long token, int batch) {
        ledger.add(new Entry(ledger.size() + 1, batch, node, token, new BigDecimal("10.50")));
        event(millis, node, Type.ACCEPTED, token, batch, "batch " + batch + " closed");
    }

    Books books() {
        return new Books(20, 4, new BigDecimal("42.00"), List.copyOf(ledger));
    }

    Verdict verdict() {
        return Verdict.of(books(), events, handovers, 1);
    }
}
