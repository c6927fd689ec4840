package io.fencedlease.camel.idempotent;

import io.fencedlease.camel.LeasedFence;
import io.fencedlease.camel.TenuredRepository;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Exchange;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.util.TimeUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An idempotent repository behind the fence of a lease: a key that an earlier tenure left unconfirmed is taken over, a
 * holder that was fenced out can neither add, confirm nor remove. Works for exchanges of leased routes, and in consumers
 * behind {@code fencedlease:}; whatever has no tenure is refused. Thread-safe once configured.
 *
 * <p><em>Does not guarantee</em> exactly-once: between a step's effect and the confirmation there is a gap, and who dies
 * in it leaves a key that the next tenure works on again.
 */
public abstract class FencedIdempotentRepository implements TenuredRepository, CamelContextAware {

    private static final Logger LOG = LoggerFactory.getLogger(FencedIdempotentRepository.class);

    private @Nullable LeaseName lease;
    private @Nullable String repository;
    private @Nullable CamelContext context;
    private @Nullable Duration keepConfirmed;
    private @Nullable TenuredKeys opened;
    private @Nullable Cleaning cleaning;

    /** Makes the keys; connects to nothing yet. */
    abstract FencedKeys keys(CamelContext context, LeaseName lease, String repository);

    public @Nullable String getLeaseName() {
        return lease == null ? null : lease.value();
    }

    /** The lease whose exchanges work with it. */
    public void setLeaseName(String leaseName) {
        lease = new LeaseName(leaseName);
    }

    public @Nullable String getRepositoryName() {
        return repository;
    }

    /** What tells its keys from those of other repositories of this lease; in the characters of a lease's name. */
    public void setRepositoryName(String repositoryName) {
        repository = LeaseName.check(lease == null ? "?" : lease.value(), "repositoryName", repositoryName);
    }

    public @Nullable String getKeepConfirmed() {
        return keepConfirmed == null ? null : keepConfirmed.toString();
    }

    /** For how long confirmed keys are remembered, such as {@code 30d}; for ever if not set. See {@link #cleanup}. */
    public void setKeepConfirmed(String duration) {
        long millis;
        try {
            millis = TimeUtils.toMilliSeconds(duration);
        } catch (RuntimeException notADuration) {
            millis = 0;
        }
        if (millis <= 0) {
            throw refused("keepConfirmed", duration, "a duration such as 30d or 12h");
        }
        keepConfirmed = Duration.ofMillis(millis);
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return context;
    }

    @Override
    public final synchronized void setCamelContext(CamelContext camelContext) {
        if (context == camelContext) {
            return;
        }
        if (context != null) {
            throw refused("camelContext", context.getName() + " and " + camelContext.getName(), "one context");
        }
        context = camelContext;
    }

    /** Registers its fence with the lease, and makes its store ready; what is away now is looked at again later. */
    @Override
    public void start() {
        bind();
        try {
            opened().keys.prepare();
        } catch (FenceUnavailableException away) {
            LOG.warn("{}; started all the same, and looked at again by its first use", away.getMessage(), away);
        }
        cleanUpNowAndThen();
    }

    private synchronized void cleanUpNowAndThen() {
        if (keepConfirmed != null && cleaning == null) {
            cleaning = new Cleaning(context(), opened().keys, keepConfirmed);
        }
        if (cleaning != null) {
            try {
                // the context stops it; started again after a restart
                context().addService(cleaning);
            } catch (Exception failed) {
                throw RuntimeCamelException.wrapRuntimeException(failed);
            }
        }
    }

    /** Nothing: Camel stops it with each route that uses it, and others go on. It ends with the context. */
    @Override
    public void stop() {}

    void bind() {
        try {
            opened().fence.bind(context());
        } catch (Exception refused) {
            throw RuntimeCamelException.wrapRuntimeCamelException(refused);
        }
    }

    /** Forgets keys confirmed longer ago than this, by wall clocks; see {@link FencedKeys#cleanup}. */
    public long cleanup(Duration age) {
        return opened().keys.cleanup(age);
    }

    @Override
    public IdempotentRepository under(Lease held, boolean confirmsLater) {
        return new ConsumerView(opened(), held, confirmsLater);
    }

    @Override
    public boolean add(Exchange exchange, String key) {
        return opened().add(leaseOf(exchange), key);
    }

    @Override
    public boolean contains(Exchange exchange, String key) {
        return opened().contains(leaseOf(exchange), key);
    }

    @Override
    public boolean remove(Exchange exchange, String key) {
        return opened().remove(leaseOf(exchange), key);
    }

    @Override
    public boolean confirm(Exchange exchange, String key) {
        return opened().confirm(leaseOf(exchange), key);
    }

    /** Refused, as everything without an exchange. */
    @Override
    public boolean add(String key) {
        throw withoutTenure();
    }

    /** Refused, as everything without an exchange. */
    @Override
    public boolean contains(String key) {
        throw withoutTenure();
    }

    /** Refused, as everything without an exchange. */
    @Override
    public boolean remove(String key) {
        throw withoutTenure();
    }

    /** Refused, as everything without an exchange. */
    @Override
    public boolean confirm(String key) {
        throw withoutTenure();
    }

    /** Refused: it would forget what is done, and what is under way. */
    @Override
    public void clear() {
        throw new UnsupportedOperationException("use cleanup(age)");
    }

    private Lease leaseOf(Exchange exchange) {
        return opened().fence.leaseOf(exchange);
    }

    private RuntimeException withoutTenure() {
        opened().fence.leaseOf(null);
        throw new IllegalStateException("unreachable");
    }

    private synchronized TenuredKeys opened() {
        if (opened == null) {
            if (lease == null || repository == null) {
                throw refused(lease == null ? "leaseName" : "repositoryName", "none", "a name");
            }
            FencedKeys keys = keys(context(), lease, repository);
            opened = new TenuredKeys(keys, new LeasedFence(lease, keys.fence(), toString()), context());
        }
        return opened;
    }

    private CamelContext context() {
        CamelContext known = context;
        if (known == null) {
            throw new IllegalStateException(this + " has no Camel context: put it into the registry");
        }
        return known;
    }

    SettingRefusedException refused(String option, Object given, String allowed) {
        return new SettingRefusedException(lease == null ? "?" : lease.value(), option, given, allowed);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " '" + repository + "'";
    }
}
