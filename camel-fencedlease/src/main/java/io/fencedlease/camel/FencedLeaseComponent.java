package io.fencedlease.camel;

import io.fencedlease.camel.health.LeaseHealth;
import io.fencedlease.camel.report.SinkReport;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
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
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.util.InetAddressUtil;
import org.apache.camel.util.PropertiesHelper;

/**
 * {@code fencedlease:LEASE:DELEGATE-URI}: runs consumers while a lease is held, and lets producers write through a fence.
 * Owns the leases of its context: they are asked for when the context has started, and given back when its routes have
 * ended.
 */
@Component("fencedlease")
public class FencedLeaseComponent extends DefaultComponent implements SSLContextParametersAware {

    @Metadata(description = "Where the leases are kept, and how this node calls itself there")
    private FencedLeaseConfiguration configuration = new FencedLeaseConfiguration();

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long the service keeps a session that is not renewed (30s); what else is not set follows")
    private long ttl;

    @Metadata(javaType = "java.time.Duration", label = "lease", description = "Between two renewals; TTL/6")
    private long renewalInterval;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description = "Limit of one call to the service; TTL/15")
    private long attemptLimit;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long stopping may take after a loss; belief in the lease ends this much before the TTL; TTL/10")
    private long lossStopTimeout;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description = "How long a lease stays shut after its session ended without release; TTL/3")
    private long lockDelay;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long fences may take to be raised and routes to start before the lease is given back; 30s")
    private long startTimeout;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long a planned stop waits for work in flight before it ends the tenure; Camel's shutdown timeout")
    private long drainTimeout;

    @Metadata(label = "security", description = "Whether the context's global TLS parameters are used towards Consul")
    private boolean useGlobalSslContextParameters;

    private final LeaseHealth health = new LeaseHealth(this::reports);

    private final LeasedContextSlot leased = new LeasedContextSlot(new LeasedContextBuilder(this));

    public FencedLeaseComponent() {}

    public FencedLeaseComponent(CamelContext context) {
        super(context);
    }

    /** The component of a context, created if it has none yet. */
    static FencedLeaseComponent of(CamelContext context) {
        return context.getComponent("fencedlease", FencedLeaseComponent.class);
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
        health.register(getCamelContext());
    }

    /** After all routes of the context were drained and stopped. */
    @Override
    protected void doStop() throws Exception {
        health.unregister(getCamelContext());
        leased.take().ifPresent(LeasedContext::end);
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
     * ahead of it.
     *
     * @param atLeast a mark known from elsewhere; 0 if none
     */
    public CompletableFuture<Long> openGeneration(String lease, long atLeast) throws Exception {
        return leased.get().openGeneration(new LeaseName(lease), atLeast);
    }

    /** The times set here, as options that endpoints may override. */
    LeaseOptions leaseOptions() {
        Map<String, Duration> given = new LinkedHashMap<>();
        long[] millis = {ttl, renewalInterval, attemptLimit, lossStopTimeout, lockDelay, startTimeout, drainTimeout};
        for (int i = 0; i < millis.length; i++) {
            if (millis[i] != 0) {
                given.put(LeaseOptions.NAMES.get(i), Duration.ofMillis(millis[i]));
            }
        }
        return new LeaseOptions(Map.copyOf(given));
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

    /** What is not set stays 0; to set it to 0 would be to repair a mistake silently. */
    private static long aboveZero(String option, long millis) {
        if (millis <= 0) {
            throw new SettingRefusedException("*", option, millis + "ms", "above 0");
        }
        return millis;
    }

    public long getTtl() {
        return ttl;
    }

    public void setTtl(long ttl) {
        this.ttl = aboveZero("ttl", ttl);
    }

    public long getRenewalInterval() {
        return renewalInterval;
    }

    public void setRenewalInterval(long renewalInterval) {
        this.renewalInterval = aboveZero("renewalInterval", renewalInterval);
    }

    public long getAttemptLimit() {
        return attemptLimit;
    }

    public void setAttemptLimit(long attemptLimit) {
        this.attemptLimit = aboveZero("attemptLimit", attemptLimit);
    }

    public long getLossStopTimeout() {
        return lossStopTimeout;
    }

    public void setLossStopTimeout(long lossStopTimeout) {
        this.lossStopTimeout = aboveZero("lossStopTimeout", lossStopTimeout);
    }

    public long getLockDelay() {
        return lockDelay;
    }

    public void setLockDelay(long lockDelay) {
        this.lockDelay = aboveZero("lockDelay", lockDelay);
    }

    public long getStartTimeout() {
        return startTimeout;
    }

    public void setStartTimeout(long startTimeout) {
        this.startTimeout = aboveZero("startTimeout", startTimeout);
    }

    public long getDrainTimeout() {
        return drainTimeout;
    }

    public void setDrainTimeout(long drainTimeout) {
        this.drainTimeout = aboveZero("drainTimeout", drainTimeout);
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
