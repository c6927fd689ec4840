package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.Tenure;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tenure at work in this context: its lease, and how many exchanges are alive under it. Thread-safe. */
final class RunningTenure {

    private static final Logger LOG = LoggerFactory.getLogger(RunningTenure.class);

    private final Lease lease;
    private final Long token;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Set<TenureStamp> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
    private final AtomicInteger finishedLate = new AtomicInteger();
    private int alive;
    private boolean closing;

    RunningTenure(Lease lease) {
        this.lease = lease;
        this.token = lease.token().value();
    }

    Lease lease() {
        return lease;
    }

    Tenure tenure() {
        return lease.tenure();
    }

    /** Whether its end is known; compares no clocks. */
    boolean lost() {
        return lease.lossReason().isPresent();
    }

    /** Puts the fencing headers where they are missing or something else. */
    void restoreHeaders(Message message) {
        restore(message, FencingHeaders.TOKEN, token);
        restore(message, FencingHeaders.LEASE, tenure().lease().value());
        restore(message, FencingHeaders.NONCE, tenure().nonce());
    }

    private static void restore(Message message, String name, Object value) {
        if (!value.equals(message.getHeader(name))) {
            message.setHeader(name, value);
        }
    }

    /** Counts one more; false if nothing of this tenure was left and it was closed. */
    synchronized boolean enter() {
        if (closing && alive == 0) {
            return false;
        }
        alive++;
        return true;
    }

    /** Counts one less. */
    void leave() {
        boolean last;
        synchronized (this) {
            alive--;
            last = closing && alive == 0;
        }
        if (last) {
            over.complete(null);
        }
    }

    synchronized int alive() {
        return alive;
    }

    /** Work of this tenure that ended as if nothing had happened, though the tenure was over: told, never silent. */
    void finishedLate(String exchangeId) {
        finishedLate.incrementAndGet();
        LOG.warn(
                "{} exchange {} finished after the tenure was over; only a fence can have refused its writes",
                tenure(),
                exchangeId);
    }

    int finishedLate() {
        return finishedLate.get();
    }

    /** A group that waits in an aggregator, perhaps for ever. */
    synchronized void waits(TenureStamp group) {
        waiting.add(group);
    }

    synchronized void goesOn(TenureStamp group) {
        waiting.remove(group);
    }

    /** After the end nothing is gained by waiting for more: such groups count no longer, and are refused when they go on. */
    void dropWaiting() {
        List<TenureStamp> groups;
        synchronized (this) {
            groups = List.copyOf(waiting);
        }
        groups.forEach(TenureStamp::dropIfWaiting);
    }

    /**
     * Lets nothing new in once the last one has left. Copies of what is alive still count until then.
     *
     * @return completes when nothing is left, possibly on the thread of an exchange
     */
    CompletableFuture<Void> closeWhenEmpty() {
        boolean empty;
        synchronized (this) {
            closing = true;
            empty = alive == 0;
        }
        if (empty) {
            over.complete(null);
        }
        return over;
    }
}
