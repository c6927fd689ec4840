package io.fencedlease.lease;

import java.util.concurrent.CompletableFuture;

/** Brings what happens to a lease on any thread to its claim on the loop. */
record LoopOwner(Loop loop, Claim claim) implements HeldLease.Owner {

    @Override
    public void ended(HeldLease lease) {
        loop.timers().execute(() -> {
            claim.ended(lease);
            lease.logEnd();
        });
    }

    @Override
    public void closed(HeldLease lease) {
        loop.timers().execute(() -> claim.closed(lease));
    }

    @Override
    public void confirm(HeldLease lease, CompletableFuture<Boolean> answer) {
        loop.timers().execute(() -> claim.confirm(lease, answer));
    }
}
