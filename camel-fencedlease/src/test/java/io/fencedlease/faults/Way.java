package io.fencedlease.faults;

import io.fencedlease.camel.FencedLeaseRoutePolicy;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;

/** The two ways in which a route comes under a lease. */
enum Way {
    CONSUMER {
        @Override
        RouteDefinition from(RouteBuilder routes, String lease, String uri) {
            return routes.from("fencedlease:" + lease + ":" + uri).routeId(ConsulNode.ROUTE);
        }
    },
    POLICY {
        @Override
        RouteDefinition from(RouteBuilder routes, String lease, String uri) {
            return routes.from(uri).routeId(ConsulNode.ROUTE).routePolicy(new FencedLeaseRoutePolicy(lease));
        }
    };

    /** Begins the leased route. */
    abstract RouteDefinition from(RouteBuilder routes, String lease, String uri);
}
