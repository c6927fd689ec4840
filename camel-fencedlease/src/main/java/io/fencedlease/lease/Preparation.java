package io.fencedlease.lease;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the fences of a new tenure before anybody gets to know of it. What fails for the moment is tried again until
 * the start timeout; a refusal is first compared with the service. Confined to the loop.
 */
final class Preparation {

    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    private final Claim claim;
    private final LeaseSettings settings;
    private final Loop loop;
    private final List<RaiseHook> hooks;
    private int running;
    private boolean regressed;

    Preparation(Claim claim, LeaseSettings settings, Loop loop, List<RaiseHook> hooks) {
        this.claim = claim;
        this.settings = settings;
        this.loop = loop;
        this.hooks = hooks;
    }

    /** Hooks are at work; whoever ends the tenure now waits for them, up to the start timeout. */
    boolean running() {
        return running > 0;
    }

    void begin(HeldLease lease) {
        regressed = false;
        loop.timers().after(settings.startTimeout(), () -> late(lease));
        attempt(lease, new Backoff(loop.random(), settings.renewalInterval()));
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

    private void attempt(HeldLease lease, Backoff backoff) {
        running++;
        Raising.start(loop, hooks, lease.tenure(), new Raising.Outcome() {
            @Override
            public void raised() {
                running--;
                claim.prepared(lease);
            }

            @Override
            public void refused(RaiseRefusedException why) {
                lease.confirm().whenComplete((ours, unknown) -> loop.timers()
                        .execute(() -> compared(lease, backoff, ours, why)));
            }

            @Override
            public void failed(Throwable why) {
                regressed = false;
                claim.standing.trouble("fences not raised yet: " + SessionKeeper.text(why));
                again(lease, backoff, backoff.next());
            }
        });
    }

    /** Ours by the service and refused by the fence: the service has gone backwards. Otherwise an ordinary loss. */
    private void compared(HeldLease lease, Backoff backoff, @Nullable Boolean ours, RaiseRefusedException why) {
        if (Boolean.TRUE.equals(ours)) {
            String regression = "token regression: " + why.getMessage()
                    + ", yet the lease is ours. The coordination service has gone backwards, or another service"
                    + " raised this fence; no work starts on this token";
            if (!regressed) {
                LOG.error("{}", regression);
            }
            regressed = true;
            claim.standing.trouble(regression);
            again(lease, backoff, settings.renewalInterval());
        } else {
            again(lease, backoff, backoff.next());
        }
    }

    private void again(HeldLease lease, Backoff backoff, Duration pause) {
        running--;
        if (!lease.stillHeld(loop.now())) {
            claim.leave(lease);
            return;
        }
        loop.timers().after(pause, () -> {
            if (lease.stillHeld(loop.now())) {
                attempt(lease, backoff);
            }
        });
    }
}
