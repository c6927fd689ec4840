package io.fencedlease.camel;

import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.spi.LeaseBackend;
import org.apache.camel.CamelContext;

/** From the component's options to the leases of its context. */
final class LeasedContextBuilder {

    private final FencedLeaseComponent component;

    LeasedContextBuilder(FencedLeaseComponent component) {
        this.component = component;
    }

    LeasedContext build() throws Exception {
        CamelContext context = component.getCamelContext();
        LeaseOptions options = component.leaseOptions();
        LeaseSettings settings = options.settings("*");
        String given = component.getConfiguration().getHolder();
        String holder = given == null ? component.defaultHolder() : given;
        LeaseBackend backend = new BackendFactory(component).build();
        Leases leases =
                Leases.builder(backend).settings(settings).holder(holder).build();
        return new LeasedContext(context, leases, backend, options, holder);
    }
}
