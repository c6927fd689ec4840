package io.fencedlease.camel;

import io.fencedlease.lease.LeaseReport;
import java.time.Duration;
import java.util.List;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.seda.SedaComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** A node for tests: a context whose leases are kept in a database that other nodes may share. Close it. */
final class LeasedNode implements AutoCloseable {

    final DefaultCamelContext context = new DefaultCamelContext();
    final FencedLeaseComponent component = new FencedLeaseComponent();
    final JdbcTemplate jdbc;

    LeasedNode(LeaseDatabase database, String name) {
        jdbc = new JdbcTemplate(database.dataSource());
        context.getCamelContextExtension().setName(name);
        context.getShutdownStrategy().setTimeout(10);
        // how long a seda consumer sleeps before it sees that it is stopped
        context.getComponent("seda", SedaComponent.class).setDefaultPollTimeout(20);
        context.getRegistry().bind("db", database.dataSource());
        component.getConfiguration().setBackend("jdbc");
        component.getConfiguration().setDataSource(database.dataSource());
        component.getConfiguration().setHolder(name);
        component.setTtl(2000);
        context.addComponent("fencedlease", component);
    }

    LeasedNode routes(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
        return this;
    }

    LeasedNode start() {
        context.start();
        return this;
    }

    /** What this node knows about a lease; the first one if there is only one. */
    LeaseReport report() {
        List<LeaseReport> reports = component.reports();
        return reports.get(0);
    }

    boolean holds() {
        return !component.reports().isEmpty() && report().state() == LeaseReport.State.HOLDING;
    }

    static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(20));
    }

    @Override
    public void close() {
        context.stop();
    }
}
