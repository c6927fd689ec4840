package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.PatternHelper;
import org.jspecify.annotations.Nullable;

/** Puts one {@link FencedLeaseRoutePolicy} on every route whose id fits a pattern, or whose group does. */
public class FencedLeaseRoutePolicyFactory implements RoutePolicyFactory {

    private final FencedLeaseRoutePolicy policy = new FencedLeaseRoutePolicy();
    private @Nullable String routeIdPattern;
    private @Nullable String group;

    public void setLeaseName(String leaseName) {
        policy.setLeaseName(leaseName);
    }

    /** A route id, a wildcard such as {@code close-*}, or a regular expression. */
    public void setRouteIdPattern(String routeIdPattern) {
        this.routeIdPattern = routeIdPattern;
    }

    public void setGroup(String group) {
        this.group = group;
    }

    @Override
    public @Nullable RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
        return fits(routeId, route) ? policy : null;
    }

    LeaseName lease() {
        return new LeaseName(policy.getLeaseName());
    }

    boolean fits(@Nullable String routeId, NamedNode route) {
        if (routeIdPattern == null && group == null) {
            throw new SettingRefusedException(
                    policy.getLeaseName(), "routeIdPattern", "none", "routeIdPattern or group on the policy factory");
        }
        boolean byId = routeIdPattern != null && routeId != null && PatternHelper.matchPattern(routeId, routeIdPattern);
        boolean byGroup =
                group != null && route instanceof RouteDefinition definition && group.equals(definition.getGroup());
        return byId || byGroup;
    }
}
