package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fence that producers of this context write through: raised with each tenure of its lease. Thread-safe. */
final class BoundFence {

    private static final Logger LOG = LoggerFactory.getLogger(BoundFence.class);

    private final Fence fence;
    private final BooleanSupplier required;
    private final Leases.Registration hook;
    private final AtomicReference<@Nullable Late> late = new AtomicReference<>();
    private volatile @Nullable Tenure raised;

    /** The one raise of a tenure that its first write asked for. */
    private record Late(Tenure tenure, CompletableFuture<Void> done) {}

    /** @param required whether no tenure may begin before this fence is raised; asked when it could not be */
    BoundFence(Leases leases, LeaseName lease, Fence fence, BooleanSupplier required) {
        this.fence = fence;
        this.required = required;
        this.hook = leases.onRaise(lease, this::raiseBeforeTheRoutes);
    }

    private void raiseBeforeTheRoutes(Tenure tenure) throws Exception {
        try {
            raise(tenure);
        } catch (FenceUnavailableException away) {
            if (required.getAsBoolean()) {
                throw away;
            }
            LOG.warn(
                    "{} begins without {}, which no route writes down: raised before the first write there",
                    tenure,
                    fence.resource(),
                    away);
        }
    }

    private void raise(Tenure tenure) throws Exception {
        fence.raise(tenure);
        raised = tenure;
    }

    /**
     * For a fence that came while the tenure was running: raises it once, however many writes wait for that, and only
     * after the service said that the lease is still ours. There is no other way from a write to a raise.
     */
    void ensureRaised(Lease lease) throws Exception {
        if (lease.tenure().equals(raised)) {
            return;
        }
        Late own = new Late(lease.tenure(), new CompletableFuture<>());
        Late first = late.updateAndGet(known -> known != null && known.tenure().equals(own.tenure()) ? known : own);
        if (first == own) {
            raiseLate(lease, own);
        }
        try {
            first.done().get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private void raiseLate(Lease lease, Late own) {
        try {
            confirm(lease);
            raise(lease.tenure());
            own.done().complete(null);
        } catch (Throwable failure) {
            // the next write tries again
            late.compareAndSet(own, null);
            own.done().completeExceptionally(failure);
        }
    }

    private void confirm(Lease lease) throws Exception {
        if (!lease.confirm().toCompletableFuture().get()) {
            lease.ensureHeld();
            throw new IllegalStateException(lease.tenure() + " is not confirmed; " + fence.resource() + " not raised");
        }
    }

    void unbind() {
        hook.close();
    }
}
