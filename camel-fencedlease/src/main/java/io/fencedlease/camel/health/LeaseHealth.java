package io.fencedlease.camel.health;

import io.fencedlease.lease.LeaseReport;
import java.util.List;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheckRegistry;

/**
 * The health checks of one component: {@code fencedlease} for readiness, {@code fencedlease-liveness} for what a restart
 * mends. Known to the context's registry without any configuration, if it has one.
 */
public final class LeaseHealth {

    private final List<LeaseHealthCheck> checks;

    /** @param reports asked at each call of a check, on its thread; must not block */
    public LeaseHealth(Supplier<List<LeaseReport>> reports) {
        checks = List.of(
                new LeaseHealthCheck("fencedlease", Verdict.READINESS, reports),
                new LeaseHealthCheck("fencedlease-liveness", Verdict.LIVENESS, reports));
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
