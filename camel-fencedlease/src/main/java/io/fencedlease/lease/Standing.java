package io.fencedlease.lease;

import io.fencedlease.lease.LeaseReport.State;
import java.time.Instant;
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
    private final Loop loop;
    private State state = State.IDLE;
    private @Nullable Ailment ailment;
    private @Nullable TokenRegression regression;
    private Instant since;
    private volatile Snapshot last;

    private record Snapshot(LeaseReport report, @Nullable HeldLease lease) {}

    Standing(LeaseName name, Supplier<@Nullable HeldLease> lease, Entry entry, Loop loop) {
        this.name = name;
        this.lease = lease;
        this.entry = entry;
        this.loop = loop;
        this.since = Instant.ofEpochMilli(loop.now().wallMillis());
        this.last = snapshot();
    }

    boolean is(State asked) {
        return state == asked;
    }

    void enter(State next) {
        if (next != state) {
            since = Instant.ofEpochMilli(loop.now().wallMillis());
        }
        state = next;
        if (next != State.PREPARING) {
            regression = null; // of a tenure that is over
        }
        publish();
    }

    /** Something is wrong; told once, until something else is. */
    void trouble(String what) {
        tell(new Ailment(Ailment.Kind.TRANSIENT, what));
        publish();
    }

    /** A call failed. */
    void trouble(String what, Throwable why) {
        tell(SessionKeeper.ailment(what + ": " + FailureText.of(why), why));
        publish();
    }

    private void tell(Ailment found) {
        if (!found.equals(ailment)) {
            LOG.warn("lease '{}' {}", name, found.text());
        }
        ailment = found;
    }

    /** Stays until {@link #noTrouble()}, whatever else fails meanwhile. */
    void regressed(TokenRegression found) {
        if (!found.equals(regression)) {
            LOG.error("{}", found);
        }
        regression = found;
        publish();
    }

    Optional<TokenRegression> regression() {
        return Optional.ofNullable(regression);
    }

    void noTrouble() {
        ailment = null;
        regression = null;
        publish();
    }

    void publish() {
        LeaseReport before = last.report();
        last = snapshot();
        LeaseReport report = last.report();
        if (is(State.WAITING) && report.holder().isPresent() && !report.holder().equals(before.holder())) {
            LOG.info("lease '{}' is held by {}; waiting", name, entry.holder());
        }
    }

    LeaseReport report() {
        Snapshot now = last;
        HeldLease held = now.lease();
        return held == null || held.lossReason().isPresent()
                ? now.report()
                : now.report().with(held.left(loop.now()));
    }

    private Snapshot snapshot() {
        HeldLease held = lease.get();
        Optional<Tenure> tenure = Optional.ofNullable(held).map(HeldLease::tenure);
        Optional<String> holder = Optional.of(entry.holder()).filter(h -> !h.isEmpty());
        Optional<TokenRegression> found = regression();
        LeaseReport report = new LeaseReport(
                        name,
                        state,
                        Optional.of(since),
                        tenure,
                        Optional.empty(),
                        holder,
                        Optional.ofNullable(ailment),
                        found)
                .with(found.map(f -> new Ailment(Ailment.Kind.REGRESSION, f.toString())));
        return new Snapshot(report, held);
    }
}
