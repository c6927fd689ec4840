package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Turns accepted writes into events, from what the database shows and not from what the nodes say. A write that becomes
 * visible after a later tenure has begun is stale. Runs on the executor's one thread.
 */
final class LedgerWatch {

    private static final int EVERY_MILLIS = 50;

    private final Ledger ledger;
    private final Timeline timeline;
    private final Set<Long> seen = new HashSet<>();
    private long highest;

    LedgerWatch(Ledger ledger, Timeline timeline) {
        this.ledger = ledger;
        this.timeline = timeline;
    }

    void start(ScheduledExecutorService thread) {
        thread.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What is there by now still belonged to earlier tenures. */
    void tenureBegan(long token) {
        look();
        highest = Math.max(highest, token);
    }

    void look() {
        for (Entry entry : ledger.entries()) {
            if (seen.add(entry.number())) {
                boolean stale = entry.token() < highest;
                timeline.add(
                        entry.node(),
                        stale ? Type.STALE : Type.ACCEPTED,
                        entry.token(),
                        entry.batch(),
                        stale
                                ? "batch " + entry.batch() + " written, though token " + highest + " works already"
                                : "batch " + entry.batch() + " closed");
            }
        }
    }
}
