package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
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
    private boolean running;

    Preparation(Claim claim, LeaseSettings settings, Loop loop, List<RaiseHook> hooks) {
        this.claim = claim;
        this.settings = settings;
        this.loop = loop;
        this.hooks = hooks;
    }

    /** Hooks are at work; whoever ends the tenure now has to wait for them. */
    boolean running() {
        return running;
    }

    void begin(HeldLease lease) {
        attempt(lease, loop.now(), new Backoff(loop.random(), settings.renewalInterval()));
    }

    private void attempt(HeldLease lease, Tick began, Backoff backoff) {
        running = true;
        Raising.start(loop, hooks, lease.tenure(), new Raising.Outcome() {
            @Override
            public void raised() {
                running = false;
                claim.prepared(lease);
            }

            @Override
            public void refused(RaiseRefusedException why) {
                lease.confirm().whenComplete((ours, unknown) -> loop.timers()
                        .execute(() -> compared(lease, began, backoff, ours, why)));
            }

            @Override
            public void failed(Throwable why) {
                Duration taken = Duration.ofNanos(loop.ticker().nanos() - began.nanos());
                LOG.warn("{} fences not raised after {} ms", lease.tenure(), taken.toMillis(), why);
                if (taken.compareTo(settings.startTimeout()) >= 0) {
                    running = false;
                    claim.givenUp(lease, "fences not raised within startTimeout: " + SessionKeeper.text(why));
                } else {
                    claim.trouble("fences not raised yet: " + SessionKeeper.text(why));
                    again(lease, began, backoff, backoff.next());
                }
            }
        });
    }

    /** Ours by the service and refused by the fence: the service has gone backwards. Otherwise an ordinary loss. */
    private void compared(
            HeldLease lease, Tick began, Backoff backoff, @Nullable Boolean ours, RaiseRefusedException why) {
        if (Boolean.TRUE.equals(ours)) {
            String regression = "token regression: " + why.getMessage()
                    + ", yet the lease is ours. The coordination service has gone backwards, or another service"
                    + " raised this fence; no work starts on this token";
            if (claim.report.problem().filter(regression::equals).isEmpty()) {
                LOG.error("{}", regression);
            }
            claim.trouble(regression);
            again(lease, began, backoff, settings.renewalInterval());
        } else {
            again(lease, began, backoff, backoff.next());
        }
    }

    private void again(HeldLease lease, Tick began, Backoff backoff, Duration pause) {
        running = false;
        if (!lease.stillHeld(loop.now())) {
            claim.leave(lease);
            return;
        }
        loop.timers().after(pause, () -> {
            if (lease.stillHeld(loop.now())) {
                attempt(lease, began, backoff);
            }
        });
    }
}
