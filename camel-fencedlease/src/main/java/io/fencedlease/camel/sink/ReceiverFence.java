package io.fencedlease.camel.sink;

import io.fencedlease.lease.Tenure;
import org.apache.camel.Service;

/** Where a receiver compares what a message presents with what was heard before. Called by many threads. */
public interface ReceiverFence extends Service {

    /**
     * Lets the receiver's transaction go on. Blocks; on the caller's thread.
     *
     * @throws io.fencedlease.fence.FencedOutException if the message is stale
     * @throws Exception what hindered the check; nothing was written
     */
    void admit(Tenure presented) throws Exception;

    /** Keeps the receiver's transaction, if there is one, from committing. */
    void neverCommits();
}
