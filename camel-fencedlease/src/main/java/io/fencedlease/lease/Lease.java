package io.fencedlease.lease;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A held lease: one tenure, from its acquisition to its end. Thread-safe.
 *
 * <p>Having one means that this node was given the lease and that every registered fence has been raised. <em>It does
 * not guarantee</em> that no other node works at the same time: this process may be paused at any instruction. Carry
 * {@link #token()} to the resource and let the resource refuse.
 */
public interface Lease extends AutoCloseable {

    /** What fences compare. */
    Tenure tenure();

    /** The name of the lease. */
    default LeaseName name() {
        return tenure().lease();
    }

    /** The fencing token, pinned for the whole tenure. */
    default FencingToken token() {
        return tenure().token();
    }

    /**
     * Returns if the lease can be believed in at this moment. Compares this node's clocks itself, so it depends on no
     * thread, socket or service.
     *
     * @throws LeaseLostException if the tenure has ended, also when only its deadline says so
     */
    void ensureHeld();

    /** Why the tenure ended; empty while it lasts. Reads one field, no clock. */
    Optional<LossReason> lossReason();

    /**
     * Completes exactly once, when the tenure ends, before the next tenure of this lease begins here. Callbacks run on a
     * worker thread.
     */
    CompletionStage<LossReason> lost();

    /**
     * Asks the coordination service, by a consistent read, whether the lease is still this tenure's.
     *
     * <p>Completes with true or false; false has ended the tenure as well. Completes exceptionally with {@link
     * io.fencedlease.lease.spi.BackendUnavailableException} when no answer came: that proves nothing.
     */
    CompletionStage<Boolean> confirm();

    /**
     * Ends the tenure, but keeps the lease from others until {@link #close()}: for work that still runs. Idempotent.
     *
     * @param why one line for people
     */
    void standDown(String why);

    /**
     * Says that nothing of this tenure is running any more; gives the lease back if it is still held. Does not wait. Only
     * after this does a further {@link Leases#acquire} compete. Idempotent.
     */
    @Override
    void close();
}
