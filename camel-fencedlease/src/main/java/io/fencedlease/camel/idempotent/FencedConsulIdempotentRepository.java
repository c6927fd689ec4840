package io.fencedlease.camel.idempotent;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.camel.LeasedFence;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.consul.KvKeys;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;

/**
 * A {@link FencedIdempotentRepository} in the Consul that has the lease, one key for each below {@code
 * <keyPrefix>/<lease>/<repository>/}. For hundreds of keys a second and below; Consul is no database.
 */
public class FencedConsulIdempotentRepository extends FencedIdempotentRepository {

    private String keyPrefix = KvKeys.DEFAULT_PREFIX;

    /** For bean configuration: set lease name and repository name. */
    public FencedConsulIdempotentRepository() {}

    public FencedConsulIdempotentRepository(String leaseName, String repositoryName) {
        setLeaseName(leaseName);
        setRepositoryName(repositoryName);
    }

    public String getKeyPrefix() {
        return keyPrefix;
    }

    /** What its keys begin with; outside of the prefix of the leases. */
    public void setKeyPrefix(String keyPrefix) {
        this.keyPrefix = keyPrefix;
    }

    @Override
    FencedKeys keys(CamelContext context, LeaseName lease, String repository) {
        long limit = context.getComponent("fencedlease", FencedLeaseComponent.class)
                .getConfiguration()
                .getRaiseTimeout();
        try {
            return new KvKeys(
                    lease,
                    repository,
                    LeasedFence.backend(context),
                    keyPrefix,
                    Duration.ofMillis(limit),
                    Ticker.system());
        } catch (Exception refused) {
            throw RuntimeCamelException.wrapRuntimeException(refused);
        }
    }
}
