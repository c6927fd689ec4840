package io.fencedlease.camel.idempotent;

import io.fencedlease.camel.LeasedFence;
import io.fencedlease.camel.NoTenureException;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseLostException;
import java.util.concurrent.Callable;
import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys as the holders of a lease in one context work with them. Thread-safe. */
final class TenuredKeys {

    private static final Logger LOG = LoggerFactory.getLogger(TenuredKeys.class);

    final FencedKeys keys;
    final LeasedFence fence;
    private final CamelContext context;
    private final OwnKeys own = new OwnKeys();

    TenuredKeys(FencedKeys keys, LeasedFence fence, CamelContext context) {
        this.keys = keys;
        this.fence = fence;
        this.context = context;
    }

    boolean add(Lease lease, String key) {
        return mayWork(lease, key, unsureIfFailed(lease, key, () -> keys.add(lease.tenure(), key)));
    }

    /** For work that is done already. */
    boolean addConfirmed(Lease lease, String key) {
        boolean first = mayWork(lease, key, unsureIfFailed(lease, key, () -> keys.addConfirmed(lease.tenure(), key)));
        if (first) {
            own.done(lease.tenure(), key);
        }
        return first;
    }

    private boolean mayWork(Lease lease, String key, Found found) {
        if (found == Found.HALF_DONE) {
            LOG.info("{} takes over a key that an earlier tenure left half-way in {}", lease.tenure(), keys.resource());
        }
        return own.mayWork(lease.tenure(), key, found);
    }

    boolean contains(Lease lease, String key) {
        return call(lease, () -> keys.contains(lease.tenure(), key));
    }

    boolean remove(Lease lease, String key) {
        // its work has failed, whatever becomes of the entry
        own.done(lease.tenure(), key);
        return unsureIfFailed(lease, key, () -> keys.remove(lease.tenure(), key));
    }

    boolean confirm(Lease lease, String key) {
        boolean confirmed = call(lease, () -> keys.confirm(lease.tenure(), key));
        own.done(lease.tenure(), key);
        return confirmed;
    }

    private <T> T unsureIfFailed(Lease lease, String key, Callable<T> work) {
        try {
            return call(lease, work);
        } catch (FencedOutException | LeaseLostException | NoTenureException refused) {
            throw refused;
        } catch (RuntimeException unknown) {
            own.unsure(lease.tenure(), key);
            throw unknown;
        }
    }

    private <T> T call(Lease lease, Callable<T> work) {
        try {
            return fence.call(context, lease, work);
        } catch (Exception failed) {
            throw RuntimeCamelException.wrapRuntimeException(failed);
        }
    }
}
