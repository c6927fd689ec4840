package io.fencedlease.camel;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseLostException;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.FinallyDefinition;
import org.apache.camel.model.OnCompletionDefinition;
import org.apache.camel.model.OnExceptionDefinition;
import org.apache.camel.model.TryDefinition;
import org.apache.camel.processor.WireTapProcessor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.apache.camel.util.ObjectHelper;

/**
 * Before each step of one route: counts copies, restores the headers, and tells an exchange whose tenure is lost. An
 * exchange without a stamp passes.
 */
final class TenureInterceptor implements InterceptStrategy {

    private final String routeId;

    TenureInterceptor(String routeId) {
        this.routeId = routeId;
    }

    @Override
    public Processor wrapProcessorInInterceptors(
            CamelContext context, NamedNode definition, Processor target, Processor nextTarget) {
        countTapped(target);
        if (isInside(
                definition,
                OnExceptionDefinition.class,
                CatchDefinition.class,
                FinallyDefinition.class,
                OnCompletionDefinition.class)) {
            return new Step(target, true, false);
        }
        return new Step(target, false, isInside(definition, TryDefinition.class));
    }

    private static boolean isInside(NamedNode definition, Class<?>... kinds) {
        for (NamedNode node = definition; node != null; node = node.getParent()) {
            for (Class<?> kind : kinds) {
                if (kind.isInstance(node)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A tapped copy must count before its original can be done, else it waits in the pool uncounted. */
    private static void countTapped(Processor target) {
        if (target instanceof WireTapProcessor tap) {
            Processor users = tap.getOnPrepare();
            tap.setOnPrepare(copy -> {
                if (users != null) {
                    users.process(copy);
                }
                TenureStamp stamp = TenureStamp.of(copy);
                if (stamp != null) {
                    stamp.count(copy);
                }
            });
        }
    }

    /** One step. In a handler nothing is told; inside doTry no rollback mark is set, it would outlive the doCatch. */
    private final class Step extends DelegateAsyncProcessor {

        private final boolean handler;
        private final boolean inTry;

        Step(Processor target, boolean handler, boolean inTry) {
            super(target);
            this.handler = handler;
            this.inTry = inTry;
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            TenureStamp stamp = TenureStamp.of(exchange);
            if (stamp == null) {
                return processor.process(exchange, callback);
            }
            stamp.restoreHeaders(exchange);
            boolean alive = stamp.count(exchange) && !stamp.running().lost();
            if (!alive && !handler && !isDeadLetter(exchange)) {
                exchange.setException(stamp.lost());
                mark(exchange);
                callback.done(true);
                return true;
            }
            return processor.process(exchange, doneSync -> {
                mark(exchange);
                callback.done(doneSync);
            });
        }

        /** A loss or a refusal is not redelivered: trying again is useless. */
        private void mark(Exchange exchange) {
            Exception failure = exchange.getException();
            if (!handler && failure != null && isFinal(failure)) {
                exchange.setRollbackOnly(!inTry);
            }
        }

        /** The route of a dead letter channel: works on after the loss; sinks there refuse by themselves. */
        private boolean isDeadLetter(Exchange exchange) {
            Object failedIn = exchange.getProperty(ExchangePropertyKey.FAILURE_ROUTE_ID);
            return failedIn != null
                    && !routeId.equals(failedIn)
                    && exchange.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT) instanceof LeaseLostException;
        }
    }

    private static boolean isFinal(Exception failure) {
        return ObjectHelper.getException(LeaseLostException.class, failure) != null
                || ObjectHelper.getException(FencedOutException.class, failure) != null;
    }
}
