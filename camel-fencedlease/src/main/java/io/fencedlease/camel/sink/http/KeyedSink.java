package io.fencedlease.camel.sink.http;

import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.Producer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

/**
 * Sends each request with a key, LEASE/TOKEN/ID: the same for each redelivery, another for each tenure. The id is what the
 * route has put into that header, else made of the exchange, the step and the place in a loop.
 *
 * <p><em>Does not</em> refuse anything: the receiver drops repeats by the key, and can drop lower tokens by its middle part.
 */
final class KeyedSink extends ServiceSupport implements SinkFence {

    private static final AtomicLong STEPS = new AtomicLong();

    private final String header;
    private final Producer delegate;
    private final long step = STEPS.incrementAndGet();

    KeyedSink(String header, Producer delegate) {
        this.header = header;
        this.delegate = delegate;
    }

    /** Nothing that could be raised. */
    @Override
    public Optional<Fence> fence() {
        return Optional.empty();
    }

    @Override
    public void write(Exchange exchange, Tenure tenure) throws Exception {
        Object given = exchange.getMessage().getHeader(header);
        exchange.getMessage()
                .setHeader(
                        header,
                        tenure.lease() + "/" + tenure.token().value() + "/" + (given == null ? id(exchange) : given));
        try {
            delegate.process(exchange);
        } finally {
            // the next try, or the next request, starts from what the route has put there
            if (given == null) {
                exchange.getMessage().removeHeader(header);
            } else {
                exchange.getMessage().setHeader(header, given);
            }
        }
        if (exchange.getException() != null) {
            throw exchange.getException();
        }
    }

    private String id(Exchange exchange) {
        Object loop = exchange.getProperty(ExchangePropertyKey.LOOP_INDEX);
        return exchange.getExchangeId() + "." + step + (loop == null ? "" : "." + loop);
    }

    @Override
    protected void doInit() {
        ServiceHelper.initService(delegate);
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(delegate);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownService(delegate);
    }
}
