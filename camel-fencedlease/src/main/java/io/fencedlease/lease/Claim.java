package io.fencedlease.lease;

import io.fencedlease.lease.LeaseReport.State;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One lease on this node: waiting, preparing, holding, ending, and again. Decides; the calls are its group's. Confined
 * to the loop, but for the report of its standing.
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
    final Standing standing;
    final Preparation preparation;
    private final SerialExecutor callbacks;
    private final Demand demand;
    final Confirmations confirmations;

    private @Nullable HeldLease lease;

    Claim(LeaseName name, LeaseSettings settings, Loop loop, List<RaiseHook> hooks, Group group) {
        this.name = name;
        this.settings = settings;
        this.loop = loop;
        this.group = group;
        this.entry = new Entry(loop, settings.renewalInterval());
        this.standing = new Standing(name, () -> lease, entry, loop);
        this.preparation = new Preparation(this, settings, loop, hooks, group::poke);
        this.callbacks = new SerialExecutor(loop);
        this.demand = new Demand(name, callbacks);
        this.confirmations = new Confirmations(loop.callbacks());
    }

    void want(CompletableFuture<Lease> future) {
        if (demand.open(future) && standing.is(State.IDLE)) {
            settle();
        }
    }

    void cancelled(CompletableFuture<Lease> future) {
        if (demand.withdraw(future)) {
            notWanted();
        }
    }

    private void notWanted() {
        if (standing.is(State.WAITING)) {
            standing.enter(State.IDLE);
        } else if (standing.is(State.PREPARING) && lease != null) {
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
        if (standing.is(State.PREPARING) && !preparation.running(ended)) {
            leave(ended);
        } else if (standing.is(State.HOLDING)) {
            standing.enter(State.ENDING);
            confirmations.over();
        }
    }

    void closed(HeldLease closed) {
        if (!standing.is(State.PREPARING)) {
            if (lease == closed && closed.stoodDown()) {
                entry.pauseFor(settings.lockDelay()); // somebody wanted another node to have it
            }
            leave(closed);
        }
    }

    void confirm(HeldLease asked, CompletableFuture<Boolean> answer) {
        if (lease == asked && holds()) {
            confirmations.ask(answer);
            group.wake();
        } else {
            loop.callbacks().execute(() -> answer.complete(false));
        }
    }

    /** This tenure is over and nothing of it runs any more: the entry is given back if it may be ours. */
    void leave(HeldLease over) {
        if (lease != over) {
            return;
        }
        lease = null;
        confirmations.over();
        if (entry.isOurs()) {
            standing.enter(State.ENDING);
            group.poke();
        } else {
            settle();
        }
    }

    /** The entry is not ours: compete for it if somebody here wants it. */
    void settle() {
        entry.reset();
        standing.enter(demand.isOpen() ? State.WAITING : State.IDLE);
        group.wake();
    }

    @Nullable
    HeldLease lease() {
        return lease;
    }

    boolean isIdle() {
        return standing.is(State.IDLE);
    }

    /** An idle claim that is not worth reading may be forgotten. */
    boolean worthReading() {
        return !standing.is(State.IDLE) || entry.isDoubtful();
    }

    boolean holds() {
        return lease != null && lease.lossReason().isEmpty();
    }

    /** Giving back, or about to. */
    boolean mayGiveBack() {
        return isGivingBack() || standing.is(State.PREPARING);
    }

    boolean isGivingBack() {
        return standing.is(State.ENDING) && lease == null;
    }

    void saw(Holding holding, LiveSession session, Tick asked) {
        entry.saw(holding, session.session().id());
        if (lease != null) {
            lease.judge(entry, asked);
        } else if (isGivingBack()) {
            if (!entry.isOurs()) {
                settle();
            }
        } else if (entry.isOrphan() || (entry.isOurs() && standing.is(State.IDLE))) {
            standing.enter(State.ENDING);
        } else if (!entry.isSeenFree()) {
            standing.noTrouble(); // held elsewhere: whatever an attempt met before is over
        }
        standing.publish();
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
        return standing.is(State.WAITING) && entry.isSeenFree() && entry.due(now, alarm);
    }

    void acquired(Acquisition.Acquired acquired, String nonce, LiveSession session, Tick asked) {
        entry.own(acquired.revision());
        standing.noTrouble();
        if (standing.is(State.WAITING)) {
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
            standing.enter(State.PREPARING);
            preparation.begin(lease);
        } else if (lease == null) {
            standing.enter(State.ENDING); // it came too late: nobody wants it any more
        }
    }

    boolean releaseDue(long now, Alarm alarm) {
        return isGivingBack() && entry.releaseDue(now, alarm);
    }

    void notReleased(@Nullable Throwable why) {
        entry.notReleased(why);
        if (why != null) {
            standing.trouble("not given back yet", why);
        }
        group.wake();
    }

    void prepared(HeldLease ready) {
        if (demand.isOpen() && ready.stillHeld(loop.now())) {
            standing.noTrouble();
            standing.enter(State.HOLDING);
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
        standing.trouble(why);
    }
}
