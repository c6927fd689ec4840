package io.fencedlease.camel.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.PluginHelper;

/** Which routes of a context are behind an endpoint. */
final class Hops {

    static final String KAMELET = "kamelet";

    private final CamelContext context;
    private final List<RouteDefinition> routes;
    private final LeasedUri.Cutter cutter;

    Hops(ModelCamelContext context, LeasedUri.Cutter cutter) {
        this.context = context;
        this.routes = List.copyOf(context.getRouteDefinitions());
        this.cutter = cutter;
    }

    /** What a route consumes from. */
    String input(RouteDefinition route) {
        if (route.getInput() == null) {
            return "";
        }
        String uri = route.getInput().getEndpointUri();
        return uri == null ? "" : new RouteTexts(context, route).uri(uri);
    }

    List<RouteDefinition> consumers(EndpointText target) {
        return routes.stream()
                .filter(route -> target.address().equals(delegateOf(route).address()))
                .toList();
    }

    private EndpointText delegateOf(RouteDefinition route) {
        String input = input(route);
        return EndpointText.fixed(cutter.cut(input).map(LeasedUri::delegate).orElse(input));
    }

    /** The route that a Kamelet's endpoint has made; none before it has, for others of its template say nothing about it. */
    List<RouteDefinition> kamelets(EndpointText target) {
        if (!target.scheme().equals(KAMELET) || isOuterEnd(target)) {
            return List.of();
        }
        return routeId(target).stream()
                .flatMap(id -> routes.stream().filter(route -> id.equals(route.getId())))
                .toList();
    }

    private Optional<String> routeId(EndpointText target) {
        Endpoint endpoint = context.hasEndpoint(target.text());
        return Optional.ofNullable(endpoint)
                .map(found ->
                        PluginHelper.getBeanIntrospection(context).getOrElseProperty(found, "routeId", null, false))
                .map(Objects::toString);
    }

    /** Where the inside of a Kamelet meets the route that uses it. */
    boolean isOuterEnd(EndpointText target) {
        return target.scheme().equals(KAMELET)
                && (target.path().equals("source") || target.path().equals("sink"));
    }
}
