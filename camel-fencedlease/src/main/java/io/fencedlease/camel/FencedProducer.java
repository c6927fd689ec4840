package io.fencedlease.camel;

import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;

/** Writes behind a fence, on the caller's thread: a transaction is bound to it. */
final class FencedProducer extends DefaultProducer {

    private final FencedLeaseEndpoint endpoint;
    private final SinkFence sink;
    private volatile @Nullable BoundFence bound;

    FencedProducer(FencedLeaseEndpoint endpoint, SinkFence sink) {
        super(endpoint);
        this.endpoint = endpoint;
        this.sink = sink;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        Lease lease = Tenures.required(exchange, endpoint.lease(), endpoint);
        BoundFence fence = bound;
        if (fence != null) {
            fence.ensureRaised(lease);
        }
        try {
            sink.write(exchange, lease.tenure());
        } catch (FencedOutException refused) {
            endpoint.leasedContext().judge().fencedOut(lease, refused);
            throw refused;
        }
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        ServiceHelper.initService(sink);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ServiceHelper.startService(sink);
        if (sink.fence().isPresent()) {
            bound = endpoint.leasedContext()
                    .fences()
                    .bind(endpoint.lease(), sink.fence().get());
        }
    }

    @Override
    protected void doStop() throws Exception {
        BoundFence fence = bound;
        bound = null;
        if (fence != null) {
            endpoint.leasedContext().fences().release(fence);
        }
        ServiceHelper.stopAndShutdownService(sink);
        super.doStop();
    }
}
