package io.fencedlease.camel;

import org.apache.camel.AggregationStrategy;
import org.apache.camel.Exchange;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;

/**
 * An aggregation strategy for leased routes: aggregates only exchanges of one tenure, and passes that tenure on. An
 * exchange of another tenure fails, and the aggregate stays as it was.
 *
 * <p>For the aggregate EIP only, where what it has gathered counts as alive. Anywhere else it is refused: the parts of a
 * split or multicast have one tenure anyway.
 */
public final class TenureAggregation extends ServiceSupport implements AggregationStrategy {

    private final AggregationStrategy strategy;

    private TenureAggregation(AggregationStrategy strategy) {
        this.strategy = strategy;
    }

    /** Wraps the strategy that knows what to do with the bodies. */
    public static TenureAggregation of(AggregationStrategy strategy) {
        return new TenureAggregation(strategy);
    }

    @Override
    public Exchange aggregate(@Nullable Exchange oldExchange, Exchange newExchange) {
        TenureStamp incoming = TenureStamp.of(newExchange);
        if (oldExchange != null) {
            requireSame(TenureStamp.of(oldExchange), incoming);
        }
        Exchange result = strategy.aggregate(oldExchange, newExchange);
        if (incoming != null && result != null) {
            // the group waits here for more: it counts until what comes out of it is done
            hold(incoming, oldExchange, result);
        }
        return result;
    }

    private static void requireSame(@Nullable TenureStamp gathered, @Nullable TenureStamp incoming) {
        Object held = gathered == null ? "none" : gathered.tenure();
        Object given = incoming == null ? "none" : incoming.tenure();
        if (!held.equals(given)) {
            throw new IllegalStateException("aggregate of tenure " + held + " refused an exchange of tenure " + given);
        }
    }

    private static void hold(TenureStamp incoming, @Nullable Exchange before, Exchange result) {
        TenureStamp stamp = TenureStamp.of(result);
        if (stamp == null) {
            incoming.copyTo(result);
            stamp = TenureStamp.of(result);
        }
        if (stamp != null && !stamp.countWaiting(result)) {
            throw stamp.lost();
        }
        TenureStamp replaced = before == null || before == result ? null : TenureStamp.of(before);
        if (replaced != null) {
            replaced.uncount();
        }
    }

    @Override
    public void onCompletion(Exchange exchange, Exchange inputExchange) {
        strategy.onCompletion(exchange, inputExchange);
    }

    @Override
    public void timeout(Exchange exchange, int index, int total, long timeout) {
        strategy.timeout(exchange, index, total, timeout);
    }

    @Override
    public void onOptimisticLockFailure(@Nullable Exchange oldExchange, Exchange newExchange) {
        strategy.onOptimisticLockFailure(oldExchange, newExchange);
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(strategy);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopService(strategy);
    }
}
