package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The fence of something that is no producer, bound to its lease in one context: raised with each tenure from the binding
 * on, before the tenure's routes start. Thread-safe.
 */
public final class LeasedFence {

    private final LeaseName lease;
    private final Fence fence;
    private final String where;
    private @Nullable Binding binding;

    private record Binding(LeasedContext context, BoundFence fence) {}

    /** @param where what works behind the fence, for people */
    public LeasedFence(LeaseName lease, Fence fence, String where) {
        this.lease = lease;
        this.fence = fence;
        this.where = where;
    }

    /** Where the leases of a context are kept, for fences that are kept there too. */
    public static LeaseBackend backend(CamelContext context) throws Exception {
        return FencedLeaseComponent.of(context).leasedContext().backend();
    }

    /** Registers the fence with the lease; again only if the context was restarted since. */
    public void bind(CamelContext context) throws Exception {
        bound(context);
    }

    private synchronized Binding bound(CamelContext context) throws Exception {
        LeasedContext leased = FencedLeaseComponent.of(context).leasedContext();
        Binding known = binding;
        if (known == null || known.context() != leased) {
            known = new Binding(leased, leased.fences().bind(lease, fence, () -> true));
            binding = known;
        }
        return known;
    }

    /**
     * The lease that an exchange runs under.
     *
     * @throws NoTenureException if it has none, or one of another lease
     * @throws io.fencedlease.lease.LeaseLostException if its tenure is over
     */
    public Lease leaseOf(@Nullable Exchange exchange) {
        if (exchange == null) {
            throw NoTenureException.none(lease, where);
        }
        return Tenures.required(exchange, lease, where);
    }

    /**
     * Does what passes the fence, on the caller's thread.
     *
     * @throws io.fencedlease.lease.LeaseLostException if the tenure is over
     * @throws FencedOutException if the fence refused; the service is asked who is wrong
     * @throws Exception what the work threw, or what hindered a late raise
     */
    public <T> T call(CamelContext context, Lease held, Callable<T> work) throws Exception {
        if (!held.name().equals(lease)) {
            throw NoTenureException.ofOther(lease, where, held.tenure());
        }
        held.ensureHeld();
        Binding bound = bound(context);
        bound.fence().ensureRaised(held);
        FencedOutJudge judge = bound.context().judge();
        try {
            T result = work.call();
            judge.wrote(held, fence);
            return result;
        } catch (FencedOutException refused) {
            // which routes work behind it is not known: none is stopped
            judge.fencedOut(held, refused, fence, List::of);
            throw refused;
        }
    }
}
