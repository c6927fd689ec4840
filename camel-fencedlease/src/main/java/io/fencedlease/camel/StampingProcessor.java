package io.fencedlease.camel;

import io.fencedlease.lease.LeaseLostException;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
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
            stamp = TenureStamp.enter(exchange, tenure);
        } catch (LeaseLostException lost) {
            exchange.setException(lost);
            callback.done(true);
            return true;
        }
        // the route's completions have run when it calls back; until then this delivery counts as well
        boolean delivering = tenure.enter();
        return super.process(exchange, doneSync -> {
            stamp.exit(exchange);
            try {
                callback.done(doneSync);
            } finally {
                if (delivering) {
                    tenure.leave();
                }
            }
        });
    }
}
