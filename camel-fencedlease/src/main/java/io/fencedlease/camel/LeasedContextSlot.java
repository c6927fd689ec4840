package io.fencedlease.camel;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.CamelContext;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * The component's leased context: built at first use by whoever comes first, the others wait for that; told of the
 * context's life, taken out at its end. Thread-safe.
 */
final class LeasedContextSlot extends LifecycleStrategySupport {

    private final Callable<LeasedContext> builder;
    private final AtomicReference<@Nullable CompletableFuture<LeasedContext>> leased = new AtomicReference<>();
    private volatile boolean started;
    private volatile boolean stopping;

    LeasedContextSlot(Callable<LeasedContext> builder) {
        this.builder = builder;
    }

    /** Builds without asking anybody anything. */
    LeasedContext get() throws Exception {
        CompletableFuture<LeasedContext> own = new CompletableFuture<>();
        CompletableFuture<LeasedContext> first = leased.updateAndGet(known -> known == null ? own : known);
        if (first == own) {
            build(own);
        }
        try {
            return first.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private void build(CompletableFuture<LeasedContext> own) {
        try {
            own.complete(builder.call());
        } catch (Throwable failure) {
            // the next one tries again
            leased.compareAndSet(own, null);
            own.completeExceptionally(failure);
        }
        // it may have missed that
        if (started) {
            current().ifPresent(LeasedContext::contextStarted);
        }
        if (stopping) {
            current().ifPresent(LeasedContext::contextStopping);
        }
    }

    /** Empty while it is being built; does not wait. */
    Optional<LeasedContext> current() {
        CompletableFuture<LeasedContext> known = leased.get();
        return known == null || !known.isDone() || known.isCompletedExceptionally()
                ? Optional.empty()
                : Optional.of(known.join());
    }

    /** Ends it, one that is being built as soon as it is. */
    void end() {
        CompletableFuture<LeasedContext> known = leased.getAndSet(null);
        if (known != null) {
            known.thenAccept(LeasedContext::end);
        }
    }

    @Override
    public void onContextStarted(CamelContext context) {
        started = true;
        stopping = false;
        current().ifPresent(LeasedContext::contextStarted);
    }

    @Override
    public void onContextStopping(CamelContext context) {
        started = false;
        stopping = true;
        current().ifPresent(LeasedContext::contextStopping);
    }
}
