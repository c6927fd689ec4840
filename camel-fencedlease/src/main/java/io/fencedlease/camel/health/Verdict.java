package io.fencedlease.camel.health;

import io.fencedlease.lease.Ailment;
import io.fencedlease.lease.Ailment.Kind;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.LeaseReport.State;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Which ailments of which lease make a node DOWN. Waiting for a lease that another node holds is none. */
enum Verdict {

    /** Somebody has to do something. Not an outage: that passes, and this node has nothing to lose while it waits. */
    READINESS((state, kind) -> switch (kind) {
        case TRANSIENT -> false;
        case NOT_RENEWED -> state == State.HOLDING || state == State.PREPARING;
        case CONFIGURATION, RESOURCE_AHEAD, REGRESSION -> state != State.IDLE;
        case STILL_RUNNING, STUCK -> true;
    }),

    /**
     * Nothing but a restart mends it. Not work that outlives its tenure: others may hold that lease, and a restart would cost
     * the other leases of this node as well.
     */
    LIVENESS((state, kind) -> kind == Kind.STUCK);

    private final BiPredicate<State, Kind> down;

    Verdict(BiPredicate<State, Kind> down) {
        this.down = down;
    }

    /** What makes this lease's node DOWN. */
    Optional<Ailment> on(LeaseReport report) {
        return report.ailment().filter(ailment -> down.test(report.state(), ailment.kind()));
    }
}
