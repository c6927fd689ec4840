package io.fencedlease.camel;

import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LossReason;
import io.fencedlease.lease.Tenure;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.SafeCopyProperty;
import org.apache.camel.support.SynchronizationAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The tenure of one exchange: the authority inside the JVM, which no step of a route can remove or forge. Each copy of the
 * exchange gets a stamp of its own, because each is counted by itself. Thread-safe.
 */
final class TenureStamp implements SafeCopyProperty {

    private static final String KEY = "FencedLeaseTenure";

    /** Copies that go round through a queue come from ever more routes, and return to none. */
    private static final int DEEPEST = 16;

    private final RunningTenure running;
    private final @Nullable TenureStamp outer;
    private final int depth;
    private volatile boolean counted;
    private volatile boolean waiting;
    private volatile boolean counting;

    private TenureStamp(RunningTenure running, @Nullable TenureStamp outer) {
        this.running = running;
        this.outer = outer;
        this.depth = outer == null ? 0 : outer.depth + 1;
    }

    /** The stamp of an exchange, null if it has none. */
    static @Nullable TenureStamp of(Exchange exchange) {
        return exchange.getExchangeExtension().getSafeCopyProperty(KEY, TenureStamp.class);
    }

    /**
     * Stamps an exchange that enters a leased route, and counts it until its completion.
     *
     * @throws LeaseLostException if the tenure is over, or the one it came with; it is not stamped and must not run
     */
    static TenureStamp enter(Exchange exchange, RunningTenure running) {
        TenureStamp stamp = entering(exchange, running);
        if (!stamp.count(exchange)) {
            throw stamp.lost();
        }
        stamp.putOn(exchange);
        return stamp;
    }

    /** As {@link #enter}, but it counts until {@link #uncount()}. */
    static TenureStamp deliver(Exchange exchange, RunningTenure running) {
        TenureStamp stamp = entering(exchange, running);
        if (!running.enter()) {
            throw stamp.lost();
        }
        stamp.counted = true;
        stamp.putOn(exchange);
        return stamp;
    }

    private static TenureStamp entering(Exchange exchange, RunningTenure running) {
        running.lease().ensureHeld();
        TenureStamp before = of(exchange);
        if (before != null && before.running.lost()) {
            // it waited in a queue; a later tenure does not carry on with it
            throw before.lost();
        }
        return new TenureStamp(running, before == null || before.depth == DEEPEST ? null : before);
    }

    /** The exchange leaves the leased route: back to the tenure it came with, if any. */
    void exit(Exchange exchange) {
        TenureStamp now = of(exchange);
        if (outer != null && now != null && now.running == running) {
            outer.putOn(exchange);
        }
    }

    /** Puts the same tenure on another exchange, uncounted. */
    void copyTo(Exchange other) {
        safeCopy().putOn(other);
    }

    private void putOn(Exchange exchange) {
        exchange.getExchangeExtension().setSafeCopyProperty(KEY, this);
        restoreHeaders(exchange);
    }

    /** Counts this exchange until its completion, once; false if the tenure is closed and empty. */
    boolean count(Exchange exchange) {
        return counted && !waiting || countNow(exchange);
    }

    private synchronized boolean countNow(Exchange exchange) {
        if (waiting) {
            waiting = false;
            running.goesOn(this);
        }
        if (!counted) {
            if (!running.enter()) {
                return false;
            }
            counted = true;
            exchange.getExchangeExtension().addOnCompletion(new Leaving());
        }
        return true;
    }

    /** Counts a group that waits in an aggregator until it goes on, or the tenure is over. */
    boolean countWaiting(Exchange group) {
        synchronized (this) {
            if (!countNow(group)) {
                return false;
            }
            waiting = true;
            running.waits(this);
        }
        if (running.lost()) {
            dropIfWaiting();
        }
        return true;
    }

    synchronized void dropIfWaiting() {
        if (waiting) {
            uncount();
        }
    }

    /** Its exchange is done; if it was told of no loss, though there was one, somebody has to be. */
    void done(Exchange exchange) {
        if (running.lost() && exchange.getException() == null && !wasTold(exchange)) {
            running.finishedLate(exchange.getExchangeId());
        }
        uncount();
    }

    private static boolean wasTold(Exchange exchange) {
        return exchange.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT) instanceof LeaseLostException;
    }

    /** Its exchange is done, or dropped. */
    synchronized void uncount() {
        if (waiting) {
            waiting = false;
            running.goesOn(this);
        }
        if (counted) {
            counted = false;
            running.leave();
        }
    }

    /** The update count was taken off the message, so that the next one found there is new. */
    void countingRows() {
        counting = true;
    }

    /** Whether it was, since the last question. */
    boolean countedRows() {
        boolean was = counting;
        counting = false;
        return was;
    }

    RunningTenure running() {
        return running;
    }

    Tenure tenure() {
        return running.tenure();
    }

    LeaseLostException lost() {
        LossReason reason = running.lease()
                .lossReason()
                .orElseGet(() -> new LossReason(LossReason.Kind.CLOSED, "no exchange of it was left"));
        return new LeaseLostException(tenure(), reason);
    }

    void restoreHeaders(Exchange exchange) {
        running.restoreHeaders(exchange.getMessage());
    }

    @Override
    public TenureStamp safeCopy() {
        return new TenureStamp(running, outer);
    }

    @Override
    public String toString() {
        return tenure().toString();
    }

    /** Stays with its exchange: a copy that the completions are handed to may be dropped by a full queue. */
    private final class Leaving extends SynchronizationAdapter {

        @Override
        public void onDone(Exchange exchange) {
            done(exchange);
        }

        @Override
        public boolean allowHandover() {
            return false;
        }
    }
}
