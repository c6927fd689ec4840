package io.fencedlease.camel.report;

import io.fencedlease.lease.LeaseName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.DelegateEndpoint;
import org.apache.camel.Endpoint;
import org.apache.camel.Route;
import org.apache.camel.model.InterceptDefinition;
import org.apache.camel.model.InterceptSendToEndpointDefinition;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.jspecify.annotations.Nullable;

/** Makes sink reports of one context. Each call looks at the models as they are then. Thread-safe. */
public final class SinkReports {

    private final CamelContext context;
    private final LeasedUri.Cutter cutter;
    private final Map<RouteDefinition, List<ProcessorDefinition<?>>> vanishing =
            Collections.synchronizedMap(new WeakHashMap<>());
    private @Nullable SinkRules rules;

    public SinkReports(CamelContext context, LeasedUri.Cutter cutter) {
        this.context = context;
        this.cutter = cutter;
    }

    /** To be called before a route is created from its model: Camel then takes interceptors out of it. */
    public void remember(RouteDefinition route) {
        List<ProcessorDefinition<?>> found = route.getOutputs().stream()
                .filter(output ->
                        output instanceof InterceptDefinition || output instanceof InterceptSendToEndpointDefinition)
                .toList();
        if (!found.isEmpty()) {
            vanishing.put(route, found);
        }
    }

    /**
     * @param leased the leases of each route that has some, by route id
     * @throws io.fencedlease.lease.SettingRefusedException if a file of classes cannot be read
     */
    public SinkReport report(Map<String, Set<LeaseName>> leased, Function<LeaseName, LeaseSinks.Overlap> overlap) {
        Map<LeaseName, List<String>> routes = new TreeMap<>();
        new TreeMap<>(leased)
                .forEach((route, leases) -> leases.forEach(lease ->
                        routes.computeIfAbsent(lease, l -> new ArrayList<>()).add(route)));
        List<LeaseSinks> all = new ArrayList<>();
        routes.forEach((lease, ids) -> all.add(new LeaseSinks(
                lease,
                ids.stream()
                        .flatMap(id -> reached(lease, id).stream())
                        .map(ReachedSink::shown)
                        .distinct()
                        .sorted(Comparator.comparing(ReportedSink::kind))
                        .toList(),
                ids.stream().flatMap(id -> warning(id).stream()).toList(),
                overlap.apply(lease))));
        return new SinkReport(List.copyOf(all));
    }

    /** The endpoints that a leased route sends to, as far as the context has them already. */
    public Set<Endpoint> endpoints(LeaseName lease, String routeId) {
        Set<Endpoint> endpoints = new HashSet<>();
        for (ReachedSink sink : reached(lease, routeId)) {
            Endpoint endpoint = sink.uri().isEmpty() ? null : context.hasEndpoint(sink.uri());
            if (endpoint != null) {
                endpoints.add(endpoint);
            }
        }
        return endpoints;
    }

    private List<ReachedSink> reached(LeaseName lease, String routeId) {
        if (!(context instanceof ModelCamelContext model)) {
            return List.of();
        }
        RouteDefinition route = model.getRouteDefinition(routeId);
        return route == null
                ? List.of()
                : new Reach(this::steps, rules(), cutter, new Hops(model, cutter), lease, routeId).sinks(route);
    }

    private List<Step> steps(RouteDefinition route) {
        return RouteSteps.of(context, cutter, route, vanishing.getOrDefault(route, List.of()));
    }

    private synchronized SinkRules rules() {
        if (rules == null) {
            rules = SinkRules.load(context);
        }
        return rules;
    }

    /** What a consumer should have and has not. */
    private Optional<String> warning(String routeId) {
        Route route = context.getRoute(routeId);
        if (route == null) {
            return Optional.empty();
        }
        Endpoint source =
                route.getEndpoint() instanceof DelegateEndpoint wrapper ? wrapper.getEndpoint() : route.getEndpoint();
        String scheme = EndpointText.fixed(source.getEndpointUri()).scheme();
        return rules().needs(scheme)
                .filter(need -> !need.value().equals(option(source, need.option())))
                .map(need -> "route " + routeId + " consumes from " + scheme + " without " + need.option() + "="
                        + need.value() + ": " + need.note());
    }

    /** Of the endpoint or its configuration, wherever it was set: in the URI or at the component. */
    private String option(Endpoint endpoint, String option) {
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(context);
        Object configuration = beans.getOrElseProperty(endpoint, "configuration", endpoint, false);
        Object value = beans.getOrElseProperty(endpoint, option, null, false);
        return String.valueOf(value == null ? beans.getOrElseProperty(configuration, option, null, false) : value);
    }
}
