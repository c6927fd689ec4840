package io.fencedlease.camel;

import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Processor;
import org.apache.camel.RouteAware;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.Suspendable;
import org.apache.camel.health.HealthCheckAware;
import org.apache.camel.spi.RouteIdAware;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a route for a delegate consumer that runs only while the lease is held. Started means waiting or holding.
 * Suspendable, because only then does a stop drain before it interrupts a poller.
 */
final class FencedLeaseConsumer extends DefaultConsumer implements Suspendable, ShutdownAware {

    private final FencedLeaseEndpoint endpoint;
    private final DelegatePart part = new DelegatePart(this);
    private @Nullable LeasedWork work;

    FencedLeaseConsumer(FencedLeaseEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        endpoint.leasedContext().declare(endpoint.lease(), endpoint.leaseOptions());
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        LeasedRoutes.of(endpoint.getCamelContext())
                .ifPresent(routes -> routes.sinks().check(getRouteId()));
        work = endpoint.leasedContext().work(endpoint.lease());
        work.add(part);
    }

    @Override
    protected void doStop() throws Exception {
        if (work != null) {
            work.remove(part);
        }
        part.stop();
        super.doStop();
    }

    @Override
    protected void doSuspend() throws Exception {
        part.pause();
        super.doSuspend();
    }

    @Override
    protected void doResume() throws Exception {
        super.doResume();
        if (!part.resume() && work != null) {
            work.add(part);
        }
    }

    @Override
    public boolean deferShutdown(ShutdownRunningTask task) {
        return part.shutdownAware().map(aware -> aware.deferShutdown(task)).orElse(false);
    }

    @Override
    public int getPendingExchangesSize() {
        return part.shutdownAware().map(ShutdownAware::getPendingExchangesSize).orElse(0);
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        part.shutdownAware().ifPresent(aware -> aware.prepareShutdown(suspendOnly, forced));
    }

    /** A new delegate for one tenure, initialised as a consumer of our route. */
    Consumer newDelegate(RunningTenure tenure) throws Exception {
        Endpoint source = ConsumerRepository.endpointFor(endpoint.getEndpoint(), tenure);
        try {
            return delegate(source, tenure);
        } catch (Exception failed) {
            ConsumerRepository.done(endpoint.getEndpoint(), source);
            throw failed;
        }
    }

    private Consumer delegate(Endpoint source, RunningTenure tenure) throws Exception {
        Consumer consumer = source.createConsumer(new StampingProcessor(getProcessor(), tenure));
        if (consumer instanceof RouteAware aware) {
            aware.setRoute(getRoute());
        }
        if (consumer instanceof RouteIdAware aware) {
            aware.setRouteId(getRouteId());
        }
        ServiceHelper.initService(consumer);
        if (consumer instanceof HealthCheckAware aware) {
            setHealthCheck(aware.getHealthCheck());
        }
        return consumer;
    }

    /** After its tenure. */
    void end(Consumer delegate) {
        ServiceHelper.stopAndShutdownService(delegate);
        ConsumerRepository.done(endpoint.getEndpoint(), delegate.getEndpoint());
    }

    String describe() {
        return getRouteId() == null ? endpoint.toString() : "route " + getRouteId();
    }
}
