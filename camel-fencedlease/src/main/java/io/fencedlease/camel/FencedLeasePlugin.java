package io.fencedlease.camel;

import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.spi.ContextServicePlugin;

/** Found by Camel when a context is built, before any route: no configuration needed. */
public final class FencedLeasePlugin implements ContextServicePlugin {

    @Override
    public void load(CamelContext context) {
        LeasedRoutes routes = new LeasedRoutes(context);
        context.addLifecycleStrategy(routes);
        try {
            context.addStartupListener(routes.sinks());
        } catch (Exception refused) {
            throw RuntimeCamelException.wrapRuntimeCamelException(refused);
        }
    }
}
