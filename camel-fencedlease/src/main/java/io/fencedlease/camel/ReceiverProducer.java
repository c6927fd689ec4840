package io.fencedlease.camel;

import io.fencedlease.camel.sink.FenceOptions;
import io.fencedlease.camel.sink.ReceiverFence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Tenure;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.service.ServiceHelper;

/**
 * Stands in a receiver's transaction, in a service that holds no lease, and keeps stale messages from it. The only place
 * that reads the fencing headers.
 */
final class ReceiverProducer extends DefaultProducer {

    private final FencedLeaseEndpoint endpoint;
    private final ReceiverFence fence;
    private final StaleMessages stale;
    private final boolean verifies;

    ReceiverProducer(FencedLeaseEndpoint endpoint, ReceiverFence fence, FenceOptions options) {
        super(endpoint);
        this.endpoint = endpoint;
        this.fence = fence;
        this.stale = new StaleMessages(endpoint, options);
        this.verifies = options.oneOf("verify", "false", "true").equals("true");
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        try {
            admitOrPutAside(exchange);
        } catch (FenceUnavailableException tryAgain) {
            throw tryAgain;
        } catch (Exception refused) {
            // also if somebody handles it and goes on
            fence.neverCommits();
            throw refused;
        }
    }

    private void admitOrPutAside(Exchange exchange) throws Exception {
        try {
            Tenure presented = PresentedTenure.of(exchange.getMessage(), endpoint.lease(), endpoint.toString());
            if (verifies) {
                endpoint.leasedContext().published().verify(presented, endpoint.toString());
            }
            fence.admit(presented);
        } catch (FencedOutException refused) {
            stale.refused(exchange, refused);
        } catch (NoTenureException unfit) {
            stale.unfit(exchange, unfit);
        }
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        if (verifies) {
            endpoint.leasedContext(); // refuses a service that is not configured now rather than with the first message
        }
        ServiceHelper.startService(stale, fence);
    }

    @Override
    protected void doStop() throws Exception {
        ServiceHelper.stopService(fence, stale);
        super.doStop();
    }
}
