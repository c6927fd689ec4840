package io.fencedlease.camel.sink;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Service;

/** One producer's way through a fence. Started and stopped with its producer; {@link #write} is called by many threads. */
public interface SinkFence extends Service {

    /** The marked fence to be raised before routes start; empty if this sink has no mark. Always the same. */
    Optional<Fence> fence();

    /**
     * Writes if the fence lets this tenure. Blocks; on the caller's thread, whose transaction it may join.
     *
     * @return whether the fence let something through; false proves nothing about it, as a read that goes past it
     * @throws io.fencedlease.fence.FencedOutException if a fence refused; nothing was written
     * @throws Exception what the delegate threw, or what hindered the check; nothing was written
     */
    boolean write(Exchange exchange, Tenure tenure) throws Exception;
}
