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

    private static final String TEMPLATE_ID = "templateId";

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

    /** The routes that a Kamelet's endpoint has made; of its template, where that is not known. */
    List<RouteDefinition> kamelets(EndpointText target) {
        if (!target.scheme().equals(KAMELET) || isOuterEnd(target)) {
            return List.of();
        }
        String template = target.path().split("/", 2)[0];
        Optional<String> routeId = routeId(target);
        return routes.stream()
                .filter(route ->
                        routeId.map(id -> id.equals(route.getId())).orElseGet(() -> template.equals(parameter(route))))
                .toList();
    }

    private Optional<String> routeId(EndpointText target) {
        Endpoint endpoint = context.hasEndpoint(target.text());
        return Optional.ofNullable(endpoint)
                .map(found ->
                        PluginHelper.getBeanIntrospection(context).getOrElseProperty(found, "routeId", null, false))
                .map(Objects::toString);
    }

    private static String parameter(RouteDefinition route) {
        return route.getTemplateParameters() == null
                ? ""
                : String.valueOf(route.getTemplateParameters().get(TEMPLATE_ID));
    }

    /** Where the inside of a Kamelet meets the route that uses it. */
    boolean isOuterEnd(EndpointText target) {
        return target.scheme().equals(KAMELET)
                && (target.path().equals("source") || target.path().equals("sink"));
    }
}
