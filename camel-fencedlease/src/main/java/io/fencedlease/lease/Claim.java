package io.fencedlease.lease;

import io.fencedlease.lease.LeaseReport.State;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One lease on this node: waiting, preparing, holding, ending, and again. Decides; the calls are its group's. Confined
 * to the loop, but for its report.
 */
final class Claim {

    /** What a claim asks of its group: to look for due calls, to read the entry soon. */
    interface Group {
        void poke();

        void wake();
    }

    final LeaseName name;
    private final LeaseSettings settings;
    private final Loop loop;
    private final Group group;
    final Entry entry;
    private final Preparation preparation;
    private final SerialExecutor callbacks;
    private final Demand demand;
    final Confirmations confirmations;

    private State state = State.IDLE;
    private @Nullable HeldLease lease;
    private @Nullable String problem;
    volatile LeaseReport report;

    Claim(LeaseName name, LeaseSettings settings, Loop loop, List<RaiseHook> hooks, Group group) {
        this.name = name;
        this.settings = settings;
        this.loop = loop;
        this.group = group;
        this.entry = new Entry(loop, settings.renewalInterval());
        this.preparation = new Preparation(this, settings, loop, hooks);
        this.callbacks = new SerialExecutor(loop.workers());
        this.demand = new Demand(name, callbacks);
        this.confirmations = new Confirmations(callbacks);
        this.report = snapshot();
    }

    void want(CompletableFuture<Lease> future) {
        if (demand.open(future) && state == State.IDLE) {
            settle();
        }
    }

    void cancelled(CompletableFuture<Lease> future) {
        if (demand.withdraw(future)) {
            notWanted();
        }
    }

    private void notWanted() {
        if (state == State.WAITING) {
            enter(State.IDLE);
        } else if (state == State.PREPARING && lease != null) {
            lease.standDown("not asked for any more");
        }
    }

    /** No further competing; an open tenure ends, its entry stays for the session's end. */
    void shut() {
        demand.refuse("leases are closed");
        notWanted();
        if (lease != null) {
            lease.end(new LossReason(LossReason.Kind.CLOSED, "leases are closed"));
        }
    }

    void ended(HeldLease ended) {
        if (lease != ended) {
            return;
        }
        confirmations.over();
        if (state == State.PREPARING && !preparation.running()) {
            leave(ended);
        } else if (state == State.HOLDING) {
            enter(State.ENDING);
        }
    }

    void closed(HeldLease closed) {
        if (state != State.PREPARING) {
            leave(closed);
        }
    }

    void confirm(HeldLease asked, CompletableFuture<Boolean> answer) {
        if (lease == asked && holds()) {
            confirmations.ask(answer);
            group.wake();
        } else {
            callbacks.execute(() -> answer.complete(false));
        }
    }

    /** This tenure is over and nothing of it runs any more: the entry is given back if it may be ours. */
    void leave(HeldLease over) {
        if (lease != over) {
            return;
        }
        lease = null;
        if (entry.isOurs()) {
            enter(State.ENDING);
            group.poke();
        } else {
            settle();
        }
    }

    /** The entry is not ours: compete for it if somebody here wants it. */
    void settle() {
        entry.reset();
        enter(demand.isOpen() ? State.WAITING : State.IDLE);
        group.wake();
    }

    /** An idle claim that is not worth reading may be forgotten. */
    boolean worthReading() {
        return state != State.IDLE || entry.isDoubtful();
    }

    boolean holds() {
        return lease != null && lease.lossReason().isEmpty();
    }

    boolean isGivingBack() {
        return state == State.ENDING && lease == null;
    }

    void saw(Holding holding, LiveSession session, Tick asked) {
        entry.saw(holding, session.session().id());
        if (lease != null) {
            lease.judge(entry, asked);
        } else if (isGivingBack()) {
            if (!entry.isOurs()) {
                settle();
            }
        } else if (entry.isOrphan() || (entry.isOurs() && state == State.IDLE)) {
            enter(State.ENDING);
        }
        publish();
    }

    void checkDeadline(Tick now, Alarm alarm) {
        if (lease != null && lease.stillHeld(now)) {
            alarm.within(lease.evidenceLeft(now));
        }
    }

    void sessionOver(LiveSession session, LossReason why) {
        entry.sessionOver();
        if (lease != null && lease.session() == session) {
            lease.end(why);
        } else if (isGivingBack()) {
            settle();
        }
    }

    boolean acquireDue(long now, Alarm alarm) {
        return state == State.WAITING && entry.isSeenFree() && entry.due(now, alarm);
    }

    void acquired(Acquisition.Acquired acquired, String nonce, LiveSession session, Tick asked) {
        entry.own(acquired.revision());
        problem = null;
        if (state == State.WAITING && entry.acquiring(nonce)) {
            Tenure tenure = new Tenure(name, acquired.token(), nonce);
            Deadline evidence = new Deadline(asked, settings.beliefSpan());
            lease = new HeldLease(
                    tenure,
                    acquired.revision(),
                    session,
                    evidence,
                    loop.ticker(),
                    callbacks,
                    new LoopOwner(loop, this));
            enter(State.PREPARING);
            preparation.begin(lease);
        } else if (lease == null) {
            enter(State.ENDING); // it came too late: nobody wants it under this nonce any more
        }
    }

    boolean releaseDue() {
        return isGivingBack() && entry.isRevisionKnown();
    }

    /** Only a read can tell whether the entry is still ours. */
    void releaseUnknown() {
        entry.forgetRevision();
        group.wake();
    }

    void prepared(HeldLease ready) {
        if (demand.isOpen() && ready.stillHeld(loop.now())) {
            problem = null;
            enter(State.HOLDING);
            demand.satisfy(ready);
        } else {
            leave(ready);
        }
    }

    /** Given back, and not competed for at once, so that another node gets its chance. */
    void givenUp(HeldLease failed, String why) {
        failed.standDown(why);
        leave(failed);
        entry.pauseFor(new Backoff(loop.random(), settings.ttl()).longest());
        trouble(why);
    }

    void trouble(String what) {
        problem = what;
        publish();
    }

    void noTrouble() {
        problem = null;
        publish();
    }

    private void enter(State next) {
        state = next;
        publish();
    }

    private void publish() {
        report = snapshot();
    }

    private LeaseReport snapshot() {
        Optional<Tenure> tenure = Optional.ofNullable(lease).map(HeldLease::tenure);
        Optional<String> holder = Optional.of(entry.holder()).filter(h -> !h.isEmpty());
        return new LeaseReport(name, state, tenure, holder, Optional.ofNullable(problem));
    }
}
