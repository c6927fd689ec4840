package io.fencedlease.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The end of all leases: end tenures, wait for what is being given back, destroy sessions. Confined to the loop. */
final class Closing {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Loop loop;
    private final List<SessionGroup> groups;
    private final CompletableFuture<Void> done;
    private int open;

    Closing(Loop loop, List<SessionGroup> groups, CompletableFuture<Void> done) {
        this.loop = loop;
        this.groups = groups;
        this.done = done;
        this.open = groups.size();
    }

    void begin() {
        if (groups.isEmpty()) {
            done.complete(null);
        }
        for (SessionGroup group : groups) {
            group.shut();
            long began = loop.ticker().nanos();
            // one turn later: what ended just now is given back by then
            loop.timers().execute(() -> waitForReleases(group, began));
        }
    }

    private void waitForReleases(SessionGroup group, long began) {
        boolean late = loop.ticker().nanos() - began >= group.releaseBound().toNanos();
        if (late || !group.givingBack()) {
            group.close(this::oneLess);
        } else {
            loop.timers().after(LOOK_AGAIN, () -> waitForReleases(group, began));
        }
    }

    private void oneLess() {
        if (--open == 0) {
            done.complete(null);
        }
    }
}
