package io.fencedlease.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Who on this node asks for the next tenure of a lease: one future or none. Confined to the loop. */
final class Demand {

    private final LeaseName name;
    private final Executor callbacks;
    private @Nullable CompletableFuture<Lease> future;

    Demand(LeaseName name, Executor callbacks) {
        this.name = name;
        this.callbacks = callbacks;
    }

    boolean isOpen() {
        return future != null;
    }

    /** False if somebody asks already. */
    boolean open(CompletableFuture<Lease> asked) {
        if (future != null) {
            fail(asked, "lease '" + name + "' is already being acquired by this node");
            return false;
        }
        future = asked;
        return true;
    }

    /** False if it is not this future that asks. */
    boolean withdraw(CompletableFuture<Lease> asked) {
        boolean same = future == asked;
        if (same) {
            future = null;
        }
        return same;
    }

    void satisfy(HeldLease lease) {
        CompletableFuture<Lease> asked = future;
        future = null;
        callbacks.execute(() -> {
            if (asked == null || !asked.complete(lease)) {
                lease.close();
            }
        });
    }

    void refuse(String why) {
        if (future != null) {
            fail(future, why);
            future = null;
        }
    }

    private void fail(CompletableFuture<Lease> asked, String why) {
        callbacks.execute(() -> asked.completeExceptionally(new IllegalStateException(why)));
    }
}
