package io.fencedlease.camel.sink;

import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;

/** A sink that calls a producer of Camel's, synchronously: it is started and stopped with the sink. */
public abstract class DelegatingSink extends ServiceSupport implements SinkFence {

    private final Producer delegate;
    private final @Nullable Object helper;

    protected DelegatingSink(Producer delegate) {
        this(delegate, null);
    }

    /** @param helper what else lives with the sink */
    protected DelegatingSink(Producer delegate, @Nullable Object helper) {
        this.delegate = delegate;
        this.helper = helper;
    }

    /** @throws Exception what the delegate threw, or left in the exchange */
    protected final void callDelegate(Exchange exchange) throws Exception {
        delegate.process(exchange);
        Exception failed = exchange.getException();
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    protected void doInit() {
        ServiceHelper.initService(delegate, helper);
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(delegate, helper);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownServices(delegate, helper);
    }
}
