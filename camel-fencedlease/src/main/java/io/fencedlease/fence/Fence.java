package io.fencedlease.fence;

import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.Callable;

/**
 * A marked fence: remembers the highest tenure it was raised for, its mark, and lets only that tenure write.
 *
 * <p>A mark is (token, nonce) and belongs to one lease. Thread-safe; calls block on I/O, so never call on the lease's
 * loop.
 */
public interface Fence {

    /** What it guards, for people; without secrets. */
    String resource();

    /**
     * Lifts the mark to this tenure. When it returns, no write of an earlier tenure is accepted any more. Repeated for
     * the same tenure it does nothing.
     *
     * @throws RaiseRefusedException if the mark is higher, or equal with another nonce
     * @throws FenceUnavailableException if it could not be done now; the mark may or may not have been lifted
     */
    void raise(Tenure tenure) throws RaiseRefusedException;

    /**
     * Runs a write so that it takes effect only if the mark is this tenure's: check and write are one atomic step.
     *
     * @throws FencedOutException if the mark is not this tenure's; nothing was written
     * @throws FenceUnavailableException if the mark could not be checked; nothing was written
     * @throws Exception what the write itself threw; nothing was written
     */
    <T> T guard(Tenure tenure, Callable<T> write) throws Exception;
}
