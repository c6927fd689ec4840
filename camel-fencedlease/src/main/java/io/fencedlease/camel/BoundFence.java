package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Tenure;
import org.jspecify.annotations.Nullable;

/** A fence that producers of this context write through: raised with each tenure of its lease. Thread-safe. */
final class BoundFence {

    private final Fence fence;
    private final Leases.Registration hook;
    private volatile @Nullable Tenure raised;

    BoundFence(Leases leases, LeaseName lease, Fence fence) {
        this.fence = fence;
        this.hook = leases.onRaise(lease, this::raise);
    }

    private void raise(Tenure tenure) throws Exception {
        fence.raise(tenure);
        raised = tenure;
    }

    /**
     * For a fence that came while the tenure was running: raises it once, and only after the service said that the lease
     * is still ours. There is no other way from a write to a raise.
     */
    void ensureRaised(Lease lease) throws Exception {
        if (lease.tenure().equals(raised)) {
            return;
        }
        if (!lease.confirm().toCompletableFuture().get()) {
            lease.ensureHeld();
            throw new IllegalStateException(lease.tenure() + " is not confirmed; " + fence.resource() + " not raised");
        }
        raise(lease.tenure());
    }

    void unbind() {
        hook.close();
    }
}
