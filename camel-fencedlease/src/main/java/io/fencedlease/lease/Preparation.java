package io.fencedlease.lease;

import io.fencedlease.lease.spi.Publication;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a new tenure in the service, then raises its fences, before anybody gets to know of it. What fails for the
 * moment is tried again until the start timeout; a refusal is first compared with the service. Confined to the loop.
 */
final class Preparation {

    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    private final Claim claim;
    private final LeaseSettings settings;
    private final Loop loop;
    private final List<RaiseHook> hooks;
    private final Runnable poke;
    private final Backoff backoff;
    private int running;
    private boolean regressed;

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

    /** Hooks are at work; whoever ends the tenure now waits for them, up to the start timeout. */
    boolean running() {
        return running > 0;
    }

    void begin(HeldLease lease) {
        regressed = false;
        backoff.reset();
        loop.timers().after(settings.startTimeout(), () -> late(lease));
        attempt(lease);
    }

    /** Also when a hook hangs: a raise that ends after the next one refuses itself. */
    private void late(HeldLease lease) {
        LeaseReport now = claim.standing.report();
        boolean preparing = now.state() == LeaseReport.State.PREPARING
                && now.tenure().filter(lease.tenure()::equals).isPresent();
        if (preparing && regressed && lease.stillHeld(loop.now())) {
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
        running++;
        if (answer instanceof Publication.NotHeld) {
            lease.confirm().whenComplete((ours, unknown) -> loop.timers().execute(() -> again(lease, backoff.next())));
        } else if (answer instanceof Publication.Refused refused) {
            refused(lease, new RaiseRefusedException(refused.mark(), lease.tenure(), refused.token(), refused.nonce()));
        } else {
            raise(lease);
        }
    }

    void notPublished(HeldLease lease, Throwable why) {
        if (!over(lease)) {
            running++;
            claim.standing.trouble("not published yet: " + SessionKeeper.text(why));
            again(lease, backoff.after(why));
        }
    }

    private void raise(HeldLease lease) {
        Raising.start(loop, hooks, lease.tenure(), new Raising.Outcome() {
            @Override
            public void raised() {
                running--;
                claim.prepared(lease);
            }

            @Override
            public void refused(RaiseRefusedException why) {
                Preparation.this.refused(lease, why);
            }

            @Override
            public void failed(Throwable why) {
                claim.standing.trouble("fences not raised yet: " + SessionKeeper.text(why));
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
            String regression = "token regression: " + why.getMessage()
                    + ", yet the lease is ours. The coordination service has gone backwards, or another service"
                    + " raised this fence; no work starts on this token";
            if (!regressed) {
                LOG.error("{}", regression);
            }
            regressed = true;
            claim.standing.trouble(regression);
            again(lease, settings.renewalInterval());
        } else {
            again(lease, backoff.next());
        }
    }

    private void again(HeldLease lease, Duration pause) {
        running--;
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
