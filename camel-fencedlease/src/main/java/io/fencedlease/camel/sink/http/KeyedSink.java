package io.fencedlease.camel.sink.http;

import io.fencedlease.camel.sink.DelegatingSink;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.Producer;

/**
 * Sends each request with a key, LEASE/TOKEN/ID: the same for each redelivery, another for each tenure. The id is what the
 * route has put into that header, else made of the exchange, the step and the place in a loop.
 *
 * <p><em>Does not</em> refuse anything: the receiver drops repeats by the key, and can drop lower tokens by its middle part.
 */
final class KeyedSink extends DelegatingSink {

    private static final AtomicLong STEPS = new AtomicLong();

    private final String header;
    private final long step = STEPS.incrementAndGet();

    KeyedSink(String header, Producer delegate) {
        super(delegate);
        this.header = header;
    }

    /** Nothing that could be raised. */
    @Override
    public Optional<Fence> fence() {
        return Optional.empty();
    }

    @Override
    public boolean write(Exchange exchange, Tenure tenure) throws Exception {
        Object given = exchange.getMessage().getHeader(header);
        Object id = given == null || given.toString().isBlank() ? id(exchange) : given;
        exchange.getMessage()
                .setHeader(header, tenure.lease() + "/" + tenure.token().value() + "/" + id);
        try {
            callDelegate(exchange);
            return true;
        } finally {
            // the next try, or the next request, starts from what the route has put there
            if (given == null) {
                exchange.getMessage().removeHeader(header);
            } else {
                exchange.getMessage().setHeader(header, given);
            }
        }
    }

    private String id(Exchange exchange) {
        Object loop = exchange.getProperty(ExchangePropertyKey.LOOP_INDEX);
        return exchange.getExchangeId() + "." + step + (loop == null ? "" : "." + loop);
    }
}
