package io.fencedlease.lease;

/**
 * What must be done with a new tenure before anybody works under it: raising a fence.
 *
 * <p>Runs on a worker thread and may block; never on the loop. Runs again, with the same tenure, after a transient
 * failure; so it must be idempotent.
 */
@FunctionalInterface
public interface RaiseHook {

    /**
     * @throws RaiseRefusedException if the fence has a higher mark, or an equal one of another tenure
     * @throws Exception for any other failure: tried again until the start timeout, then the lease is given back
     */
    void raise(Tenure tenure) throws Exception;
}
