package io.fencedlease.camel;

import org.apache.camel.BatchConsumer;
import org.apache.camel.Consumer;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.StatefulService;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.service.ServiceHelper;

/** What a consumer takes in, and how that ends. */
final class Intake {

    private Intake() {}

    /**
     * Takes in nothing new after a loss. A consumer that others wait for, such as {@code seda}, goes on, so that its queue
     * is worked off by refusals: who waits for an answer from there is alive until it comes.
     */
    static void endAfterLoss(Consumer consumer) {
        if (!othersWaitFor(consumer)) {
            ServiceHelper.suspendService(consumer);
        }
    }

    private static boolean othersWaitFor(Consumer consumer) {
        // a batch consumer notes the question as an order, and says no
        return consumer instanceof ShutdownAware aware
                && !(consumer instanceof BatchConsumer)
                && aware.deferShutdown(ShutdownRunningTask.CompleteCurrentTaskOnly);
    }

    /** Whether nothing new can come in. */
    static boolean ended(Consumer consumer) {
        return !(consumer instanceof StatefulService service) || service.isSuspended() || service.isStopped();
    }
}
