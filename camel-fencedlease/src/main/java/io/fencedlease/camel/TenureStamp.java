package io.fencedlease.camel;

import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LossReason;
import io.fencedlease.lease.Tenure;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.SafeCopyProperty;
import org.apache.camel.support.SynchronizationAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The tenure of one exchange: the authority inside the JVM, which no step of a route can remove or forge. Each copy of the
 * exchange gets a stamp of its own, because each is counted by itself.
 */
final class TenureStamp implements SafeCopyProperty {

    private static final String KEY = "FencedLeaseTenure";

    private final RunningTenure running;
    private final @Nullable TenureStamp outer;
    private boolean counted;

    private TenureStamp(RunningTenure running, @Nullable TenureStamp outer) {
        this.running = running;
        this.outer = outer;
    }

    /** The stamp of an exchange, null if it has none. */
    static @Nullable TenureStamp of(Exchange exchange) {
        return exchange.getExchangeExtension().getSafeCopyProperty(KEY, TenureStamp.class);
    }

    /**
     * Stamps an exchange that enters a leased route.
     *
     * @throws LeaseLostException if the tenure is over; the exchange is not stamped and must not run
     */
    static TenureStamp enter(Exchange exchange, RunningTenure running) {
        running.lease().ensureHeld();
        TenureStamp stamp = new TenureStamp(running, of(exchange));
        if (!stamp.count(exchange)) {
            throw stamp.lost();
        }
        stamp.putOn(exchange);
        return stamp;
    }

    /** The exchange leaves the leased route: back to the tenure it came with, if any. */
    void exit(Exchange exchange) {
        if (outer != null && of(exchange) == this) {
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
        if (!counted) {
            if (!running.enter()) {
                return false;
            }
            counted = true;
            exchange.getExchangeExtension().addOnCompletion(new Leaving());
        }
        return true;
    }

    /** Its exchange is done, or dropped. */
    void uncount() {
        if (counted) {
            counted = false;
            running.leave();
        }
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
        Message message = exchange.getMessage();
        Tenure tenure = tenure();
        restore(message, FencingHeaders.TOKEN, tenure.token().value());
        restore(message, FencingHeaders.LEASE, tenure.lease().value());
        restore(message, FencingHeaders.NONCE, tenure.nonce());
    }

    private static void restore(Message message, String name, Object value) {
        if (!value.equals(message.getHeader(name))) {
            message.setHeader(name, value);
        }
    }

    @Override
    public TenureStamp safeCopy() {
        return new TenureStamp(running, outer);
    }

    @Override
    public String toString() {
        return tenure().toString();
    }

    /** Travels with the exchange's completions, also when these are handed over to a copy. */
    private final class Leaving extends SynchronizationAdapter {

        @Override
        public void onDone(Exchange exchange) {
            uncount();
        }
    }
}
