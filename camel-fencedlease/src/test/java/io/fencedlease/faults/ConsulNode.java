package io.fencedlease.faults;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.LeaseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;

/**
 * A node for tests: a context of its own whose leases are kept in Consul, behind a network of its own. Its route is
 * {@link #ROUTE}, its lease that of the {@link ConsulNodes} it came from.
 */
final class ConsulNode implements AutoCloseable {

    static final String ROUTE = "leased";
    static final String TIMER = "timer:tick?period=50&delay=0";

    /** Short, but with attempts that a loaded machine can answer in. */
    static final LeaseSettings TIMES = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(5))
            .renewalInterval(Duration.ofMillis(700))
            .attemptLimit(Duration.ofMillis(700))
            .lossStopTimeout(Duration.ofMillis(1200))
            .lockDelay(Duration.ofMillis(2700))
            .build();

    final DefaultCamelContext context = new DefaultCamelContext();
    final FencedLeaseComponent component = new FencedLeaseComponent();
    final TcpProxy network;
    final String name;
    private final String lease;
    private final Journal journal;

    ConsulNode(String name, String lease, int consulPort, Journal journal) {
        this.name = name;
        this.lease = lease;
        this.journal = journal;
        try {
            network = new TcpProxy(consulPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        context.getCamelContextExtension().setName(name);
        context.getShutdownStrategy().setTimeout(10);
        component.getConfiguration().setConsulUrl(network.url().toString());
        component.getConfiguration().setHolder(name);
        times(TIMES);
        context.addComponent("fencedlease", component);
    }

    ConsulNode times(LeaseSettings times) {
        component.setTtl(times.ttl().toMillis());
        component.setRenewalInterval(times.renewalInterval().toMillis());
        component.setAttemptLimit(times.attemptLimit().toMillis());
        component.setLossStopTimeout(times.lossStopTimeout().toMillis());
        component.setLockDelay(times.lockDelay().toMillis());
        component.setStartTimeout(times.startTimeout().toMillis());
        return this;
    }

    ConsulNode token(String aclToken) {
        component.getConfiguration().setConsulToken(aclToken);
        return this;
    }

    /** A route that ticks while the lease is held. */
    ConsulNode ticking(Way way) {
        return leased(way, TIMER, route -> route);
    }

    /** A leased route that ticks, and then takes these steps. */
    ConsulNode leased(Way way, String uri, UnaryOperator<RouteDefinition> steps) {
        return routes(new RouteBuilder() {
            @Override
            public void configure() {
                steps.apply(way.from(this, lease, uri).process(exchange -> journal.tick(name, exchange)));
            }
        });
    }

    ConsulNode routes(RouteBuilder routes) {
        try {
            context.addRoutes(routes);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    ConsulNode start() {
        context.start();
        return this;
    }

    /** What this node knows about its lease. */
    LeaseReport report() {
        return component.reports().get(0);
    }

    boolean holds() {
        return !component.reports().isEmpty() && report().state() == LeaseReport.State.HOLDING;
    }

    /** Waits, and has seen who holds. */
    boolean knowsHolder() {
        return !component.reports().isEmpty() && report().holder().isPresent();
    }

    String problem() {
        return component.reports().isEmpty() ? "" : report().problem().orElse("");
    }

    ServiceStatus routeStatus() {
        return context.getRouteController().getRouteStatus(ROUTE);
    }

    @Override
    public void close() {
        context.stop();
        try {
            network.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
