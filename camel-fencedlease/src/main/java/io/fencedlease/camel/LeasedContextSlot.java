package io.fencedlease.camel;

import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/** The component's leased context: built at first use, told of the context's life, taken out at its end. Thread-safe. */
final class LeasedContextSlot extends LifecycleStrategySupport {

    private final LeasedContextBuilder builder;
    private @Nullable LeasedContext leased;

    LeasedContextSlot(LeasedContextBuilder builder) {
        this.builder = builder;
    }

    /** Builds without asking anybody anything. */
    synchronized LeasedContext get() throws Exception {
        if (leased == null) {
            leased = builder.build();
        }
        return leased;
    }

    synchronized Optional<LeasedContext> current() {
        return Optional.ofNullable(leased);
    }

    synchronized Optional<LeasedContext> take() {
        Optional<LeasedContext> taken = Optional.ofNullable(leased);
        leased = null;
        return taken;
    }

    @Override
    public void onContextStarted(CamelContext context) {
        current().ifPresent(LeasedContext::contextStarted);
    }

    @Override
    public void onContextStopping(CamelContext context) {
        current().ifPresent(LeasedContext::contextStopping);
    }
}
