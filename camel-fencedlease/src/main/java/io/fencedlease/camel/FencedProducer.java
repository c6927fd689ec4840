package io.fencedlease.camel;

import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import java.util.List;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Writes behind a fence, on the caller's thread: a transaction is bound to it. The fence of a sink that a route writes down
 * stays bound while it is stopped: the route of a policy is stopped between two tenures, and the next one has to be raised
 * before it starts. Others are stopped by Camel's caches, and for good.
 */
final class FencedProducer extends DefaultAsyncProducer {

    private final FencedLeaseEndpoint endpoint;
    private final SinkFence sink;
    private volatile @Nullable Binding binding;

    private record Binding(LeasedContext context, @Nullable BoundFence fence) {}

    FencedProducer(FencedLeaseEndpoint endpoint, SinkFence sink) {
        super(endpoint);
        this.endpoint = endpoint;
        this.sink = sink;
        sink.fence().ifPresent(endpoint.fences()::add);
    }

    /** Asynchronous in form only: Camel's bridge for others does not pass on a shutdown, and the fence would stay bound. */
    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            process(exchange);
        } catch (Exception failed) {
            exchange.setException(failed);
        }
        callback.done(true);
        return true;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        Lease lease = Tenures.required(exchange, endpoint.lease(), endpoint);
        Binding bound = binding;
        if (bound == null) {
            throw new IllegalStateException(endpoint + " is shut down");
        }
        if (bound.fence() != null) {
            bound.fence().ensureRaised(lease);
        }
        FencedOutJudge judge = bound.context().judge();
        try {
            if (sink.write(exchange, lease.tenure())) {
                judge.wrote(lease, what());
            }
        } catch (FencedOutException refused) {
            judge.fencedOut(lease, refused, what(), () -> sink.fence()
                    .map(fence -> bound.context().stopUsers(lease, fence, exchange.getFromRouteId()))
                    .orElse(List.of()));
            throw refused;
        }
    }

    /** What refuses: a fence with a mark, or the row behind this producer. */
    private Object what() {
        return sink.fence().map(Object.class::cast).orElse(this);
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        ServiceHelper.initService(sink);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ServiceHelper.startService(sink);
        Binding bound = binding;
        LeasedContext context = endpoint.leasedContext();
        if (bound == null || bound.context() != context) {
            unbind();
            binding = new Binding(
                    context,
                    sink.fence()
                            .map(fence -> context.fences().bind(endpoint.lease(), fence, () -> isWrittenDown(fence)))
                            .orElse(null));
        }
    }

    @Override
    protected void doStop() throws Exception {
        ServiceHelper.stopService(sink);
        if (sink.fence().filter(fence -> !isWrittenDown(fence)).isPresent()) {
            release();
        }
        super.doStop();
    }

    private boolean isWrittenDown(Fence fence) {
        return LeasedRoutes.of(endpoint.getCamelContext())
                .map(routes -> routes.sinks().isWrittenDown(fence))
                .orElse(true);
    }

    @Override
    protected void doShutdown() throws Exception {
        unbind();
        ServiceHelper.stopAndShutdownService(sink);
        super.doShutdown();
    }

    /** What was refused there is no problem any more if nobody else writes there. */
    private void unbind() {
        Binding bound = binding;
        if (bound != null && release()) {
            bound.context().judge().forget(what());
        }
    }

    /** @return whether nobody else has the fence */
    private boolean release() {
        Binding bound = binding;
        binding = null;
        return bound != null
                && (bound.fence() == null || bound.context().fences().release(bound.fence()));
    }
}
