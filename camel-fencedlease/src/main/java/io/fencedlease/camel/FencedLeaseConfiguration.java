package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.support.jsse.SSLContextParameters;
import org.jspecify.annotations.Nullable;

/** Where the leases are kept, and how this node calls itself there. Secrets are not part of {@link #toString()}. */
@UriParams
public class FencedLeaseConfiguration {

    @UriParam(
            enums = "consul,jdbc",
            description = "The service that keeps the leases; derived from what else is set if that leaves no doubt",
            label = "common")
    private @Nullable String backend;

    @UriParam(
            description =
                    "Addresses of Consul agents, separated by comma; taken over from a configured consul component",
            label = "consul")
    private @Nullable String consulUrl;

    @UriParam(secret = true, description = "ACL token for Consul", label = "consul,security")
    @Metadata(secret = true)
    private @Nullable String consulToken;

    @UriParam(description = "Consul datacenter; the agent's own if not set", label = "consul")
    private @Nullable String datacenter;

    @UriParam(description = "TLS towards Consul", label = "consul,security")
    private @Nullable SSLContextParameters sslContextParameters;

    @UriParam(defaultValue = "fencedlease", description = "What the keys in Consul begin with", label = "consul")
    private String keyPrefix = "fencedlease";

    @UriParam(
            description =
                    "Checks bound to the session, by comma: none (default), serfHealth, or names of service checks",
            label = "consul")
    private @Nullable String sessionChecks;

    @UriParam(
            description =
                    "Where the jdbc backend keeps its tables; the only one in the registry if nothing else is set",
            label = "jdbc")
    private @Nullable DataSource dataSource;

    @UriParam(
            defaultValue = "true",
            description = "Whether missing tables of leases and fences are created",
            label = "jdbc")
    private boolean createTables = true;

    @UriParam(description = "How people shall know this node; host, process and context by default", label = "common")
    private @Nullable String holder;

    @UriParam(
            javaType = "java.time.Duration",
            defaultValue = "5000",
            description = "How long raising a fence waits for a paused holder's transaction before that is ended",
            label = "producer")
    private long raiseTimeout = 5000;

    @UriParam(
            defaultValue = "true",
            description = "Whether a database session that blocks a raise longer than raiseTimeout is ended",
            label = "producer")
    private boolean evict = true;

    @UriParam(
            enums = "fail,warn,ignore",
            defaultValue = "warn",
            description = "What happens at start-up where a leased route reaches a sink that nothing fences",
            label = "producer")
    private String unfencedSinks = "warn";

    public @Nullable String getBackend() {
        return backend;
    }

    public void setBackend(@Nullable String backend) {
        if (backend != null && !backend.equals("consul") && !backend.equals("jdbc")) {
            throw new SettingRefusedException("*", "backend", backend, "consul or jdbc");
        }
        this.backend = backend;
    }

    public @Nullable String getConsulUrl() {
        return consulUrl;
    }

    public void setConsulUrl(@Nullable String consulUrl) {
        this.consulUrl = consulUrl;
    }

    public @Nullable String getConsulToken() {
        return consulToken;
    }

    public void setConsulToken(@Nullable String consulToken) {
        this.consulToken = consulToken;
    }

    public @Nullable String getDatacenter() {
        return datacenter;
    }

    public void setDatacenter(@Nullable String datacenter) {
        this.datacenter = datacenter;
    }

    public @Nullable SSLContextParameters getSslContextParameters() {
        return sslContextParameters;
    }

    public void setSslContextParameters(@Nullable SSLContextParameters sslContextParameters) {
        this.sslContextParameters = sslContextParameters;
    }

    public String getKeyPrefix() {
        return keyPrefix;
    }

    public void setKeyPrefix(String keyPrefix) {
        this.keyPrefix = keyPrefix;
    }

    public @Nullable String getSessionChecks() {
        return sessionChecks;
    }

    public void setSessionChecks(@Nullable String sessionChecks) {
        this.sessionChecks = sessionChecks;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public boolean isCreateTables() {
        return createTables;
    }

    public void setCreateTables(boolean createTables) {
        this.createTables = createTables;
    }

    public @Nullable String getHolder() {
        return holder;
    }

    public void setHolder(@Nullable String holder) {
        this.holder = holder;
    }

    public String getUnfencedSinks() {
        return unfencedSinks;
    }

    public void setUnfencedSinks(String unfencedSinks) {
        if (!List.of("fail", "warn", "ignore").contains(unfencedSinks)) {
            throw new SettingRefusedException("*", "unfencedSinks", unfencedSinks, "fail, warn or ignore");
        }
        this.unfencedSinks = unfencedSinks;
    }

    public long getRaiseTimeout() {
        return raiseTimeout;
    }

    public void setRaiseTimeout(long raiseTimeout) {
        this.raiseTimeout = LeaseTimes.aboveZero("raiseTimeout", raiseTimeout);
    }

    public boolean isEvict() {
        return evict;
    }

    public void setEvict(boolean evict) {
        this.evict = evict;
    }
}
