package io.fencedlease.camel;

import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Component;
import org.apache.camel.component.consul.ConsulComponent;
import org.apache.camel.component.consul.ConsulConfiguration;
import org.apache.camel.support.jsse.SSLContextParameters;
import org.jspecify.annotations.Nullable;

/**
 * What a context's {@code consul} component already knows, so that Consul is configured in one place. The only class that
 * needs camel-consul; loaded only where that component exists.
 */
record ConsulComponentOptions(
        String url,
        @Nullable String token,
        @Nullable String datacenter,
        @Nullable SSLContextParameters tls) {

    /** Empty if there is no such component, or it has no address. */
    static Optional<ConsulComponentOptions> of(CamelContext context) {
        Component component = context.hasComponent("consul");
        return component == null ? Optional.empty() : Loaded.read(component);
    }

    /** Keeps the classes of camel-consul away from contexts without it. */
    private static final class Loaded {

        static Optional<ConsulComponentOptions> read(Component component) {
            if (!(component instanceof ConsulComponent consul)) {
                return Optional.empty();
            }
            ConsulConfiguration options = consul.getConfiguration();
            if (options.getUrl() == null) {
                return Optional.empty();
            }
            return Optional.of(new ConsulComponentOptions(
                    options.getUrl(),
                    options.getAclToken(),
                    options.getDatacenter(),
                    options.getSslContextParameters()));
        }
    }

    @Override
    public String toString() {
        return "consul component";
    }
}
