package io.fencedlease.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProducer;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.service.ServiceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes without a fence, because somebody wrote down why that is acceptable. Refuses an exchange without a believed
 * tenure; <em>does not</em> stop a write that was paused after that look.
 */
final class AcceptedRiskProducer extends DefaultAsyncProducer {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptedRiskProducer.class);

    private final FencedLeaseEndpoint endpoint;
    private final String reason;
    private final AsyncProducer delegate;

    AcceptedRiskProducer(FencedLeaseEndpoint endpoint, String reason) throws Exception {
        super(endpoint);
        this.endpoint = endpoint;
        this.reason = reason;
        this.delegate = endpoint.getEndpoint().createAsyncProducer();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            Tenures.required(exchange, endpoint.lease(), endpoint);
        } catch (RuntimeException refused) {
            exchange.setException(refused);
            callback.done(true);
            return true;
        }
        return delegate.process(exchange, callback);
    }

    @Override
    public boolean isSingleton() {
        return delegate.isSingleton();
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        ServiceHelper.initService(delegate);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ServiceHelper.startService(delegate);
        LOG.warn(
                "lease '{}' writes unfenced to {}, accepted because: {}",
                endpoint.lease(),
                delegate.getEndpoint(),
                reason);
    }

    @Override
    protected void doStop() throws Exception {
        ServiceHelper.stopService(delegate);
        super.doStop();
    }

    @Override
    protected void doShutdown() throws Exception {
        ServiceHelper.stopAndShutdownService(delegate);
        super.doShutdown();
    }
}
