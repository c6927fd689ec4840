package io.fencedlease.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.processor.WireTapProcessor;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.jspecify.annotations.Nullable;

/**
 * A wire tap whose copy counts before its original can be done, else it would wait in the pool uncounted; and counts no
 * more if the pool did not take it.
 */
final class CountedTap extends DelegateAsyncProcessor {

    /** The copy is prepared and submitted on the thread that calls the tap. */
    private final ThreadLocal<@Nullable TenureStamp> tapped = new ThreadLocal<>();

    CountedTap(WireTapProcessor tap) {
        super(tap);
        Processor users = tap.getOnPrepare();
        tap.setOnPrepare(copy -> {
            if (users != null) {
                users.process(copy);
            }
            TenureStamp stamp = TenureStamp.of(copy);
            if (stamp != null) {
                stamp.count(copy);
                tapped.set(stamp);
            }
        });
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        return super.process(exchange, doneSync -> {
            TenureStamp copy = tapped.get();
            tapped.remove();
            if (copy != null && exchange.getException() != null) {
                copy.uncount();
            }
            callback.done(doneSync);
        });
    }
}
