package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.LifecycleStrategySupport;

/**
 * Gives every route of a context that has a leased one the {@link TenureInterceptor}, since any may be a hop of it; other
 * contexts are left alone. A context without models counts as one without leased routes.
 */
final class LeasedRoutes extends LifecycleStrategySupport {

    private final CamelContext context;
    private final SinkCheck sinks;
    private final Map<String, Set<LeaseName>> leasesOf = new ConcurrentHashMap<>();
    private volatile boolean leasedContext;

    LeasedRoutes(CamelContext context) {
        this.context = context;
        this.sinks = new SinkCheck(context, leasesOf);
    }

    /** Those of a context; empty where the plug-in was not loaded. */
    static Optional<LeasedRoutes> of(CamelContext context) {
        return context.getLifecycleStrategies().stream()
                .filter(LeasedRoutes.class::isInstance)
                .map(LeasedRoutes.class::cast)
                .findFirst();
    }

    /** What the leased routes reach. */
    SinkCheck sinks() {
        return sinks;
    }

    /** Once the context runs; before, {@link SinkCheck} waits until all routes are there. */
    @Override
    public void onRoutesAdd(Collection<Route> routes) {
        sinks.routesChanged();
        if (context.isStarted()) {
            routes.forEach(route -> sinks.check(route.getId()));
        }
    }

    @Override
    public void onRoutesRemove(Collection<Route> routes) {
        routes.forEach(route -> leasesOf.remove(route.getId()));
        sinks.routesChanged();
    }

    @Override
    public void onRouteContextCreate(Route route) {
        if (!(route.getRoute() instanceof RouteDefinition definition)) {
            return;
        }
        sinks.reports().remember(definition);
        Set<LeaseName> leases = leases(route, definition);
        if (!leases.isEmpty()) {
            leasedContext = true;
            leasesOf.put(route.getRouteId(), leases);
            sinks.routesChanged();
            AggregationRules.check(context, leases.iterator().next().value(), definition);
        }
        if (!leasedContext && context instanceof ModelCamelContext model) {
            leasedContext = model.getRouteDefinitions().stream().anyMatch(this::isLeased);
        }
        if (leasedContext) {
            route.getInterceptStrategies().add(new TenureInterceptor(route.getRouteId(), leases));
        }
    }

    /** What the route itself runs under. */
    private Set<LeaseName> leases(Route route, RouteDefinition definition) {
        Set<LeaseName> leases = new LinkedHashSet<>();
        if (route.getEndpoint() instanceof FencedLeaseEndpoint leased) {
            leases.add(leased.lease());
        }
        for (RoutePolicy policy : policies(definition)) {
            if (policy instanceof FencedLeaseRoutePolicy ours) {
                leases.add(new LeaseName(ours.getLeaseName()));
            }
        }
        for (RoutePolicyFactory factory : context.getRoutePolicyFactories()) {
            if (factory instanceof FencedLeaseRoutePolicyFactory ours && makesPolicy(factory, definition)) {
                leases.add(ours.lease());
            }
        }
        return leases;
    }

    private boolean isLeased(RouteDefinition definition) {
        return consumesLeased(definition)
                || policies(definition).stream().anyMatch(FencedLeaseRoutePolicy.class::isInstance)
                || context.getRoutePolicyFactories().stream().anyMatch(factory -> makesPolicy(factory, definition));
    }

    private boolean consumesLeased(RouteDefinition definition) {
        if (definition.getInput() == null) {
            return false;
        }
        if (definition.getInput().getEndpoint() != null) {
            return definition.getInput().getEndpoint() instanceof FencedLeaseEndpoint;
        }
        String uri = definition.getInput().getEndpointUri();
        return uri != null && FencedLeaseUri.isOurs(context, resolved(uri));
    }

    private String resolved(String uri) {
        try {
            return context.resolvePropertyPlaceholders(uri);
        } catch (IllegalArgumentException unresolvable) {
            return uri;
        }
    }

    private List<RoutePolicy> policies(RouteDefinition definition) {
        List<RoutePolicy> policies = new ArrayList<>();
        if (definition.getRoutePolicies() != null) {
            policies.addAll(definition.getRoutePolicies());
        }
        if (definition.getRoutePolicyRef() != null) {
            for (String name : resolved(definition.getRoutePolicyRef()).split(",")) {
                RoutePolicy policy = context.getRegistry().lookupByNameAndType(name.trim(), RoutePolicy.class);
                if (policy != null) {
                    policies.add(policy);
                }
            }
        }
        return policies;
    }

    private static boolean makesPolicy(RoutePolicyFactory factory, RouteDefinition definition) {
        return factory instanceof FencedLeaseRoutePolicyFactory ours && ours.fits(definition.getId(), definition);
    }
}
