package io.fencedlease.camel;

import org.apache.camel.CamelContext;
import org.apache.camel.Consumer;
import org.apache.camel.DelegateEndpoint;
import org.apache.camel.Endpoint;
import org.apache.camel.Route;
import org.apache.camel.spi.BrowsableEndpoint;
import org.apache.camel.spi.ShutdownAware;

/**
 * Copies of a tenure in the queues between routes. Such a queue may drop them, so they do not count as alive; a planned
 * end looks here, so that they are worked off first. Knows queues in memory that can be browsed: {@code seda}.
 */
final class QueuedCopies {

    private final CamelContext context;

    QueuedCopies(CamelContext context) {
        this.context = context;
    }

    /** Whether one is waiting now. One that has just left its queue may be neither here nor counted yet. */
    boolean any(RunningTenure tenure) {
        return context.getRoutes().stream().anyMatch(route -> any(route, tenure));
    }

    private static boolean any(Route route, RunningTenure tenure) {
        Consumer consumer = route.getConsumer();
        Endpoint endpoint =
                route.getEndpoint() instanceof DelegateEndpoint wrapper ? wrapper.getEndpoint() : route.getEndpoint();
        // a remote queue is read by others, and what is in it has no stamp
        return consumer instanceof ShutdownAware
                && endpoint instanceof BrowsableEndpoint queue
                && !endpoint.isRemote()
                && queue.getExchanges().stream()
                        .map(TenureStamp::of)
                        .anyMatch(stamp -> stamp != null && stamp.running() == tenure);
    }
}
