package io.fencedlease.lease;

import io.fencedlease.lease.LeaseReport.State;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a lease stands on this node and what ails it. Confined to the loop, but for {@link #report()}. */
final class Standing {

    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);

    private final LeaseName name;
    private final Supplier<@Nullable HeldLease> lease;
    private final Entry entry;
    private State state = State.IDLE;
    private @Nullable String problem;
    private volatile LeaseReport report;

    Standing(LeaseName name, Supplier<@Nullable HeldLease> lease, Entry entry) {
        this.name = name;
        this.lease = lease;
        this.entry = entry;
        this.report = snapshot();
    }

    boolean is(State asked) {
        return state == asked;
    }

    void enter(State next) {
        state = next;
        publish();
    }

    /** Something is wrong; told once, until something else is. */
    void trouble(String what) {
        if (!what.equals(problem)) {
            LOG.warn("lease '{}' {}", name, what);
        }
        problem = what;
        publish();
    }

    void noTrouble() {
        problem = null;
        publish();
    }

    void publish() {
        LeaseReport before = report;
        report = snapshot();
        if (is(State.WAITING) && report.holder().isPresent() && !report.holder().equals(before.holder())) {
            LOG.info("lease '{}' is held by {}; waiting", name, entry.holder());
        }
    }

    LeaseReport report() {
        return report;
    }

    private LeaseReport snapshot() {
        Optional<Tenure> tenure = Optional.ofNullable(lease.get()).map(HeldLease::tenure);
        Optional<String> holder = Optional.of(entry.holder()).filter(h -> !h.isEmpty());
        return new LeaseReport(name, state, tenure, holder, Optional.ofNullable(problem));
    }
}
