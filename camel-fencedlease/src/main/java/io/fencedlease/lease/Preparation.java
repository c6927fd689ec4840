package io.fencedlease.lease;

import io.fencedlease.lease.spi.Publication;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a new tenure in the service, then raises its fences, before anybody gets to know of it. What fails for the
 * moment is tried again until the start timeout; a refusal is first compared with the service. Confined to the loop.
 */
final class Preparation {

    private final Claim claim;
    private final LeaseSettings settings;
    private final Loop loop;
    private final List<RaiseHook> hooks;
    private final Runnable poke;
    private final Backoff backoff;
    private final Set<HeldLease> working = new HashSet<>();
    /** The service had no mark of this lease when the tenure was published. */
    private boolean forgotten;

    /** The last tenure that was handed out here: what this process remembers, if the service does not. */
    private @Nullable Tenure last;

    /** The tenure whose publication is due or under way. */
    private @Nullable HeldLease publishing;

    private boolean asked;

    Preparation(Claim claim, LeaseSettings settings, Loop loop, List<RaiseHook> hooks, Runnable poke) {
        this.claim = claim;
        this.settings = settings;
        this.loop = loop;
        this.hooks = hooks;
        this.poke = poke;
        this.backoff = new Backoff(loop.random(), settings.renewalInterval());
    }

    /** Work for this tenure is under way; whoever ends it now waits for that, up to the start timeout. */
    boolean running(HeldLease lease) {
        return working.contains(lease);
    }

    void begin(HeldLease lease) {
        forgotten = false;
        backoff.reset();
        loop.timers().after(settings.startTimeout(), () -> late(lease));
        attempt(lease);
    }

    /** Also when a hook hangs: a raise that ends after the next one refuses itself. */
    private void late(HeldLease lease) {
        LeaseReport now = claim.standing.report();
        boolean preparing = now.state() == LeaseReport.State.PREPARING
                && now.tenure().filter(lease.tenure()::equals).isPresent();
        if (preparing && claim.standing.regression().isPresent() && lease.stillHeld(loop.now())) {
            loop.timers().after(settings.startTimeout(), () -> late(lease));
        } else if (preparing) {
            claim.givenUp(lease, "fences not raised within startTimeout " + settings.startTimeout());
        }
    }

    private void attempt(HeldLease lease) {
        publishing = lease;
        asked = false;
        poke.run();
    }

    /** The tenure whose turn it is to be published by this session, if any. */
    @Nullable
    HeldLease toPublish(LiveSession session) {
        boolean due = publishing != null
                && !asked
                && publishing.session() == session
                && publishing.lossReason().isEmpty();
        return due ? publishing : null;
    }

    void publishing() {
        asked = true;
    }

    /** An answer about a tenure that is over changes nothing. */
    private boolean over(HeldLease lease) {
        boolean over = publishing != lease || !lease.stillHeld(loop.now());
        if (publishing == lease) {
            publishing = null;
        }
        if (over) {
            claim.leave(lease);
        }
        return over;
    }

    void published(HeldLease lease, Publication answer) {
        if (over(lease)) {
            return;
        }
        working.add(lease);
        if (answer instanceof Publication.NotHeld) {
            lease.confirm().whenComplete((ours, unknown) -> loop.timers().execute(() -> again(lease, backoff.next())));
        } else if (answer instanceof Publication.Refused refused) {
            refused(lease, new RaiseRefusedException(refused.mark(), lease.tenure(), refused.token()));
        } else {
            forgotten |= ((Publication.Published) answer).first();
            if (last != null && last.token().compareTo(lease.tenure().token()) >= 0) {
                refused(
                        lease,
                        new RaiseRefusedException(
                                "this process", lease.tenure(), last.token().value()));
            } else {
                raise(lease);
            }
        }
    }

    /** A tenure that nobody has yet ends, so that a new token is drawn: its fences may refuse it yet, if they did not already. */
    void generationOpened() {
        HeldLease preparing = claim.standing.is(LeaseReport.State.PREPARING) ? claim.lease() : null;
        if (preparing != null) {
            preparing.standDown("a new generation was opened");
        }
    }

    void notPublished(HeldLease lease, Throwable why) {
        if (!over(lease)) {
            working.add(lease);
            claim.standing.trouble("not published yet", why);
            again(lease, backoff.after(why));
        }
    }

    private void raise(HeldLease lease) {
        Raising.start(loop, hooks, lease.tenure(), new Raising.Outcome() {
            @Override
            public void raised() {
                working.remove(lease);
                if (last == null || last.token().compareTo(lease.tenure().token()) < 0) {
                    last = lease.tenure();
                }
                claim.prepared(lease);
            }

            @Override
            public void refused(RaiseRefusedException why) {
                Preparation.this.refused(lease, why);
            }

            @Override
            public void failed(Throwable why) {
                claim.standing.trouble("fences not raised yet", why);
                again(lease, backoff.next());
            }
        });
    }

    private void refused(HeldLease lease, RaiseRefusedException why) {
        lease.confirm().whenComplete((ours, unknown) -> loop.timers().execute(() -> compared(lease, ours, why)));
    }

    /** Ours by the service and refused by the fence: the service has gone backwards. Otherwise an ordinary loss. */
    private void compared(HeldLease lease, @Nullable Boolean ours, RaiseRefusedException why) {
        if (Boolean.TRUE.equals(ours)) {
            claim.standing.regressed(new TokenRegression(lease.tenure(), why.resource(), why.mark(), forgotten));
            again(lease, settings.renewalInterval());
        } else {
            again(lease, backoff.next());
        }
    }

    private void again(HeldLease lease, Duration pause) {
        working.remove(lease);
        if (!lease.stillHeld(loop.now())) {
            claim.leave(lease);
            return;
        }
        loop.timers().after(pause, () -> {
            if (lease.stillHeld(loop.now())) {
                attempt(lease);
            }
        });
    }
}
