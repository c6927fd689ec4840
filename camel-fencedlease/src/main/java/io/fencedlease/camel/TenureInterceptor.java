package io.fencedlease.camel;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseName;
import java.util.Set;
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
import org.jspecify.annotations.Nullable;

/**
 * Before each step of one route: counts copies, restores the headers, and tells an exchange whose tenure is lost. An
 * exchange without a stamp passes, except through a leased route.
 */
final class TenureInterceptor implements InterceptStrategy {

    private final String routeId;
    private final Set<LeaseName> leases;

    /** @param leases those that the route runs under; none if it is only a hop */
    TenureInterceptor(String routeId, Set<LeaseName> leases) {
        this.routeId = routeId;
        this.leases = leases;
    }

    @Override
    public Processor wrapProcessorInInterceptors(
            CamelContext context, NamedNode definition, Processor target, Processor nextTarget) {
        Processor counted = target instanceof WireTapProcessor tap ? new CountedTap(tap) : target;
        Processor step = AggregationRules.breach(context, definition)
                .<Processor>map(breach -> new NoTenureHere(counted, routeId, breach))
                .orElseGet(() -> RowUpdated.checksAfter(context, definition) ? RowUpdated.counting(counted) : counted);
        if (isInside(
                definition,
                OnExceptionDefinition.class,
                CatchDefinition.class,
                FinallyDefinition.class,
                OnCompletionDefinition.class)) {
            return new Step(step, true, false);
        }
        return new Step(step, false, isInside(definition, TryDefinition.class));
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
            if (!handler && !leases.isEmpty() && !isOurs(stamp)) {
                return refuse(exchange, noTenure(stamp), callback);
            }
            if (stamp == null) {
                return processor.process(exchange, callback);
            }
            stamp.restoreHeaders(exchange);
            boolean alive = stamp.count(exchange) && !stamp.running().lost();
            if (!alive && !handler && !isDeadLetter(exchange)) {
                return refuse(exchange, stamp.lost(), callback);
            }
            return processor.process(exchange, doneSync -> {
                mark(exchange);
                callback.done(doneSync);
            });
        }

        private boolean refuse(Exchange exchange, Exception why, AsyncCallback callback) {
            exchange.setException(why);
            mark(exchange);
            callback.done(true);
            return true;
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
                    && exchange.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT) instanceof Exception caught
                    && isFinal(caught);
        }
    }

    /** Whoever should have stamped the exchange did not: a policy that failed, or is stopped. */
    private boolean isOurs(@Nullable TenureStamp stamp) {
        return stamp != null && leases.contains(stamp.tenure().lease());
    }

    private NoTenureException noTenure(@Nullable TenureStamp stamp) {
        LeaseName lease = leases.iterator().next();
        String where = "route " + routeId;
        return stamp == null
                ? NoTenureException.none(lease, where)
                : NoTenureException.ofOther(lease, where, stamp.tenure());
    }

    /** Where an exchange with a tenure would be mixed with others, or forgotten. */
    private static final class NoTenureHere extends DelegateAsyncProcessor {

        private final String routeId;
        private final AggregationRules.Breach breach;

        NoTenureHere(Processor target, String routeId, AggregationRules.Breach breach) {
            super(target);
            this.routeId = routeId;
            this.breach = breach;
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            TenureStamp stamp = TenureStamp.of(exchange);
            if (stamp == null) {
                return super.process(exchange, callback);
            }
            exchange.setException(new IllegalStateException(
                    stamp.tenure() + ": a step of route " + routeId + " refused an exchange of it: " + breach));
            callback.done(true);
            return true;
        }
    }

    private static boolean isFinal(Exception failure) {
        return ObjectHelper.getException(NoTenureException.class, failure) != null
                || ObjectHelper.getException(LeaseLostException.class, failure) != null
                || ObjectHelper.getException(FencedOutException.class, failure) != null;
    }
}
