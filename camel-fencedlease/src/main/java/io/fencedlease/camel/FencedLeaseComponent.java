package io.fencedlease.camel;

import io.fencedlease.camel.health.LeaseHealth;
import io.fencedlease.camel.report.SinkReport;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.SSLContextParametersAware;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.util.InetAddressUtil;
import org.apache.camel.util.PropertiesHelper;
import org.jspecify.annotations.Nullable;

/**
 * {@code fencedlease:LEASE:DELEGATE-URI}: runs consumers while a lease is held, and lets producers write through a fence.
 * Owns the leases of its context: they are asked for when the context has started, and given back when its routes have
 * ended.
 */
@Component("fencedlease")
public class FencedLeaseComponent extends LeaseTimes implements SSLContextParametersAware {

    private static final String NAME = "fencedlease";

    @Metadata(description = "Where the leases are kept, and how this node calls itself there")
    private FencedLeaseConfiguration configuration = new FencedLeaseConfiguration();

    @Metadata(label = "security", description = "Whether the context's global TLS parameters are used towards Consul")
    private boolean useGlobalSslContextParameters;

    private @Nullable LeaseHealth health;

    private final LeasedContextSlot leased = new LeasedContextSlot(new LeasedContextBuilder(this)::build);

    public FencedLeaseComponent() {}

    public FencedLeaseComponent(CamelContext context) {
        super(context);
    }

    /** The component of a context, created if it has none yet. */
    static FencedLeaseComponent of(CamelContext context) {
        return context.getComponent(NAME, FencedLeaseComponent.class);
    }

    /** The name that its context knows it by. */
    private String name() {
        return getCamelContext().getComponentNames().stream()
                .filter(name -> getCamelContext().hasComponent(name) == this)
                .findFirst()
                .orElse(NAME);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        FencedLeaseUri cut = FencedLeaseUri.parse(uri);
        Map<String, Object> lease =
                new LinkedHashMap<>(PropertiesHelper.extractProperties(parameters, FencedLeaseUri.LEASE_PREFIX));
        Map<String, Object> fence =
                new LinkedHashMap<>(PropertiesHelper.extractProperties(parameters, FencedLeaseUri.FENCE_PREFIX));
        // the rest is the delegate's, and set there
        parameters.clear();
        return FencedLeaseEndpoint.create(uri, this, cut, lease, fence);
    }

    @Override
    public boolean useRawUri() {
        return true;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        getCamelContext().addLifecycleStrategy(leased);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        health = new LeaseHealth(name(), this::reports);
        health.register(getCamelContext());
    }

    /** After all routes of the context were drained and stopped. */
    @Override
    protected void doStop() throws Exception {
        if (health != null) {
            health.unregister(getCamelContext());
        }
        leased.end();
        super.doStop();
    }

    LeasedContext leasedContext() throws Exception {
        return leased.get();
    }

    /** Empty before the first use and after the end. */
    Optional<LeasedContext> currentContext() {
        return leased.current();
    }

    /** What this node knows about each lease it has asked for. Changes nothing, asks nobody. */
    public List<LeaseReport> reports() {
        return leased.current().map(LeasedContext::reports).orElse(List.of());
    }

    /** Which sinks the leased routes reach now, and what stands between them and a stale holder. Asks nobody. */
    public SinkReport sinkReport() {
        return LeasedRoutes.of(getCamelContext())
                .map(routes -> routes.sinks().report())
                .orElse(new SinkReport(List.of()));
    }

    /**
     * Makes the tokens of a lease rise again after its service went backwards; see {@link
     * io.fencedlease.lease.Leases#openGeneration(LeaseName, long)}. Ends the tenure of this node if a resource was found
     * ahead of it, in this tenure or an earlier one.
     *
     * @param atLeast a mark known from elsewhere; 0 if none
     */
    public CompletableFuture<Long> openGeneration(String lease, long atLeast) throws Exception {
        if (!isStarted()) {
            throw new IllegalStateException("lease '" + lease + "': openGeneration needs a started context");
        }
        return leased.get().openGeneration(new LeaseName(lease), atLeast);
    }

    String defaultHolder() {
        return InetAddressUtil.getLocalHostNameSafe() + "/"
                + ProcessHandle.current().pid() + "/" + getCamelContext().getName();
    }

    public FencedLeaseConfiguration getConfiguration() {
        return configuration;
    }

    public void setConfiguration(FencedLeaseConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public boolean isUseGlobalSslContextParameters() {
        return useGlobalSslContextParameters;
    }

    @Override
    public void setUseGlobalSslContextParameters(boolean useGlobalSslContextParameters) {
        this.useGlobalSslContextParameters = useGlobalSslContextParameters;
    }
}
