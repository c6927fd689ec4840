package io.fencedlease.camel;

import io.fencedlease.lease.LeaseLostException;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.UnitOfWorkHelper;
import org.apache.camel.support.processor.DelegateAsyncProcessor;

/**
 * Between a delegate consumer and its route: stamps each exchange with the tenure that the consumer was started for, and
 * refuses it once that tenure is over. The consumer sees an ordinary failed exchange.
 */
final class StampingProcessor extends DelegateAsyncProcessor {

    private final RunningTenure tenure;

    StampingProcessor(Processor route, RunningTenure tenure) {
        super(route);
        this.tenure = tenure;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        TenureStamp stamp;
        try {
            stamp = TenureStamp.deliver(exchange, tenure);
        } catch (LeaseLostException lost) {
            exchange.setException(lost);
            completeUnlessItsRouteWill(exchange);
            callback.done(true);
            return true;
        }
        // counts until the consumer's own after-effects are done
        return super.process(exchange, doneSync -> {
            stamp.exit(exchange);
            try {
                callback.done(doneSync);
            } finally {
                stamp.done(exchange);
            }
        });
    }

    /** The route would have begun the unit of work; without one, who waits for the completions would wait for ever. */
    private static void completeUnlessItsRouteWill(Exchange refused) {
        if (refused.getUnitOfWork() == null) {
            UnitOfWorkHelper.doneSynchronizations(
                    refused, refused.getExchangeExtension().handoverCompletions());
        }
    }
}
