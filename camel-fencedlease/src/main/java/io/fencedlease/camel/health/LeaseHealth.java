package io.fencedlease.camel.health;

import io.fencedlease.lease.LeaseReport;
import java.util.List;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheckRegistry;

/**
 * The health checks of one component: {@code fencedlease} for readiness, {@code fencedlease-liveness} for what only a restart
 * mends; of a component with another name {@code fencedlease-NAME} and {@code fencedlease-NAME-liveness}. Known to the context's registry without any configuration, if it has one.
 */
public final class LeaseHealth {

    private static final String ID = "fencedlease";

    private final List<LeaseHealthCheck> checks;

    /**
     * @param component its name in the context
     * @param reports asked at each call of a check, on its thread; must not block
     */
    public LeaseHealth(String component, Supplier<List<LeaseReport>> reports) {
        String id = component.equals(ID) ? ID : ID + "-" + component;
        checks = List.of(
                new LeaseHealthCheck(id, Verdict.READINESS, reports),
                new LeaseHealthCheck(id + "-liveness", Verdict.LIVENESS, reports));
    }

    /** Does nothing in a context without health checks. */
    public void register(CamelContext context) {
        HealthCheckRegistry registry = HealthCheckRegistry.get(context);
        if (registry != null) {
            checks.forEach(registry::register);
        }
    }

    public void unregister(CamelContext context) {
        HealthCheckRegistry registry = HealthCheckRegistry.get(context);
        if (registry != null) {
            checks.forEach(registry::unregister);
        }
    }
}
