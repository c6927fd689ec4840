package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.CompletableFuture;

/** A tenure at work in this context: its lease, and how many exchanges are alive under it. Thread-safe. */
final class RunningTenure {

    private final Lease lease;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private int alive;
    private boolean closing;

    RunningTenure(Lease lease) {
        this.lease = lease;
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
