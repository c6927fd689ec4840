package io.fencedlease.camel.sink;

import java.util.Set;

/**
 * Makes the fences of one delegate scheme. Found by the scheme: a file of its name in {@code
 * META-INF/services/org/apache/camel/fencedlease/sink/} names the class.
 */
public interface SinkFenceFactory {

    /** The {@code fence.*} options it understands, without prefix. */
    Set<String> options();

    /**
     * @throws io.fencedlease.lease.SettingRefusedException if this delegate cannot be fenced as it is configured
     * @throws Exception if the delegate has no producer
     */
    SinkFence create(Sink sink) throws Exception;

    /**
     * For a receiver, which holds no lease: {@code fence.mode=receiver}.
     *
     * @throws io.fencedlease.lease.SettingRefusedException if there is no receiver of this scheme
     */
    default ReceiverFence createReceiver(Sink sink) {
        throw sink.refused("fence.mode", "receiver", "on guard: only");
    }
}
