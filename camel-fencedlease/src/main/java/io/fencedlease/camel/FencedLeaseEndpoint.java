package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.DelegateEndpoint;
import org.apache.camel.Endpoint;
import org.apache.camel.MultipleConsumersSupport;
import org.apache.camel.PollingConsumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Runs a consumer only while a lease is held, or writes through a producer behind a fence. Options of the delegate go to
 * the delegate as they are; those for the lease begin with lease. on consumers, those for the fence with fence. on
 * producers.
 */
@ManagedResource(description = "Fenced lease endpoint")
@UriEndpoint(
        firstVersion = "1.0.0",
        scheme = "fencedlease",
        syntax = "fencedlease:leaseName:delegateUri",
        title = "Fenced Lease",
        lenientProperties = true,
        category = {Category.CLUSTERING},
        headersClass = FencingHeaders.class)
public class FencedLeaseEndpoint extends DefaultEndpoint implements DelegateEndpoint, MultipleConsumersSupport {

    @UriPath(description = "Name of the lease: letters, digits, dots, underscores, hyphens")
    @Metadata(required = true)
    private final String leaseName;

    @UriPath(description = "The endpoint to consume from while the lease is held, or to write to behind a fence")
    @Metadata(required = true)
    private final String delegateUri;

    @UriParam(
            prefix = "lease.",
            multiValue = true,
            label = "consumer",
            description =
                    "Times of this lease where they differ from the component's: lease.ttl, lease.renewalInterval,"
                            + " lease.attemptLimit, lease.lossStopTimeout, lease.lockDelay, lease.startTimeout,"
                            + " lease.drainTimeout")
    private Map<String, Object> lease = Map.of();

    @UriParam(
            prefix = "fence.",
            multiValue = true,
            label = "producer",
            description =
                    "Options of the fence: fence.mode (guarded, row; of a guard tenure, receiver), fence.onStale (fail,"
                            + " drop, deadLetter), fence.deadLetter, fence.verify, fence.check, fence.acceptRisk,"
                            + " fence.idempotencyKey (http, https),"
                            + " fence.raiseTimeout, fence.sql.evict, fence.sql.lock (share, update), fence.file.fsync,"
                            + " fence.transactionManager, fence.dataSource")
    private Map<String, Object> fence = Map.of();

    private final LeaseName name;
    private final FencedLeaseUri cut;
    private final Endpoint delegate;
    private final Set<Fence> fences = ConcurrentHashMap.newKeySet();
    private LeaseOptions leaseOptions = LeaseOptions.NONE;

    private FencedLeaseEndpoint(
            String uri,
            FencedLeaseComponent component,
            FencedLeaseUri cut,
            Endpoint delegate,
            Map<String, Object> lease,
            Map<String, Object> fence) {
        super(uri, component);
        this.cut = cut;
        this.name = cut.lease();
        this.leaseName = cut.lease().value();
        this.delegateUri = cut.delegate();
        this.delegate = delegate;
        setLease(lease);
        setFence(fence);
    }

    static FencedLeaseEndpoint create(
            String uri,
            FencedLeaseComponent component,
            FencedLeaseUri cut,
            Map<String, Object> lease,
            Map<String, Object> fence) {
        // a guard stands for itself
        Endpoint delegate = cut.delegateScheme().equals("guard")
                ? new GuardEndpoint(cut.delegate(), component)
                : DelegateEndpoints.resolve(component.getCamelContext(), cut);
        return new FencedLeaseEndpoint(uri, component, cut, delegate, lease, fence);
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (!fence.isEmpty()) {
            throw refused("fence." + fence.keySet().iterator().next(), "on producers; a consumer takes lease.*");
        }
        FencedLeaseConsumer consumer = new FencedLeaseConsumer(this, processor);
        configureConsumer(consumer);
        return consumer;
    }

    @Override
    public Producer createProducer() throws Exception {
        if (!lease.isEmpty()) {
            throw refused("lease." + lease.keySet().iterator().next(), "on consumers; a producer takes fence.*");
        }
        return new FencedProducers(this, cut).create(fence);
    }

    private SettingRefusedException refused(String option, String allowed) {
        return new SettingRefusedException(leaseName, option, this, allowed);
    }

    /** Polling on demand would bypass the tenure fixed at route start. */
    @Override
    public PollingConsumer createPollingConsumer() {
        throw new SettingRefusedException(leaseName, "pollEnrich", this, "as the start of a route, or a producer");
    }

    FencedLeaseComponent component() {
        return (FencedLeaseComponent) getComponent();
    }

    LeasedContext leasedContext() throws Exception {
        return component().leasedContext();
    }

    /** The marked fences that its producers write through. */
    Set<Fence> fences() {
        return fences;
    }

    LeaseName lease() {
        return name;
    }

    LeaseOptions leaseOptions() {
        return leaseOptions;
    }

    @ManagedAttribute(description = "Name of the lease")
    public String getLeaseName() {
        return leaseName;
    }

    @Override
    @ManagedAttribute(description = "The delegate", mask = true)
    public Endpoint getEndpoint() {
        return delegate;
    }

    /** Options of the lease, without prefix. */
    public Map<String, Object> getLease() {
        return lease;
    }

    final void setLease(Map<String, Object> options) {
        lease = Map.copyOf(options);
        leaseOptions = LeaseOptions.parse(getCamelContext(), name, options);
    }

    /** Options of the fence, without prefix. */
    public Map<String, Object> getFence() {
        return fence;
    }

    final void setFence(Map<String, Object> options) {
        fence = Map.copyOf(options);
    }

    @Override
    public boolean isMultipleConsumersSupported() {
        return delegate instanceof MultipleConsumersSupport multiple && multiple.isMultipleConsumersSupported();
    }

    /** Never: a fence has to be known before the routes start, or their tenure would not raise it by then. */
    @Override
    public boolean isLazyStartProducer() {
        return false;
    }

    @Override
    public boolean isLenientProperties() {
        return true;
    }

    @Override
    public boolean isRemote() {
        return delegate.isRemote();
    }
}
