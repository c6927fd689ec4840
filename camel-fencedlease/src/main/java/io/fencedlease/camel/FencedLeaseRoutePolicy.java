package io.fencedlease.camel;

import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Exchange;
import org.apache.camel.NonManagedService;
import org.apache.camel.Route;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.support.RoutePolicySupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets routes run only while a lease is held: starts them with each tenure, stamps what enters them, stops them when it
 * ends. One object may serve several routes of one context. A route with {@code autoStartup=false} is started by nobody
 * but its user; a route that its user stopped stays stopped.
 *
 * <p>An exchange that comes while there is no tenure fails before the first step.
 */
public class FencedLeaseRoutePolicy extends RoutePolicySupport implements CamelContextAware, NonManagedService {

    private final Map<String, PolicyPart> parts = new ConcurrentHashMap<>();
    private @Nullable LeaseName lease;
    private Map<String, Object> options = Map.of();
    private @Nullable CamelContext context;

    /** For bean configuration: set the lease name before the first route uses it. */
    public FencedLeaseRoutePolicy() {}

    public FencedLeaseRoutePolicy(String leaseName) {
        setLeaseName(leaseName);
    }

    public String getLeaseName() {
        return lease().value();
    }

    public final void setLeaseName(String leaseName) {
        lease = new LeaseName(leaseName);
    }

    /** Times of this lease where they differ from the component's, as on a consumer but without {@code lease.} */
    public void setOptions(Map<String, Object> options) {
        this.options = Map.copyOf(options);
    }

    private LeaseName lease() {
        if (lease == null) {
            throw new SettingRefusedException("?", "leaseName", "none", "the name of a lease on the route policy");
        }
        return lease;
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return context;
    }

    @Override
    public void setCamelContext(CamelContext context) {
        if (this.context != null && this.context != context) {
            throw new SettingRefusedException(
                    lease().value(),
                    "routePolicy",
                    "contexts " + this.context.getName() + " and " + context.getName(),
                    "one context: the first one's stop would end it for both");
        }
        this.context = context;
    }

    @Override
    public void onInit(Route route) {
        try {
            setCamelContext(route.getCamelContext());
            refuseAskingWithoutTenure(route);
            LeasedContext leased =
                    FencedLeaseComponent.of(route.getCamelContext()).leasedContext();
            leased.declare(lease(), LeaseOptions.parse(route.getCamelContext(), lease(), options));
            boolean wanted = route.isAutoStartup() == null || route.isAutoStartup();
            route.setAutoStartup(false);
            PolicyPart part = new PolicyPart(route, leased, lease());
            parts.put(route.getId(), part);
            if (wanted) {
                part.want();
            }
        } catch (Exception refused) {
            throw RuntimeCamelException.wrapRuntimeCamelException(refused);
        }
    }

    /** Its consumer outlives tenures, and asks the repository without saying for which. */
    private void refuseAskingWithoutTenure(Route route) {
        if (ConsumerRepository.of(route.getEndpoint()).isPresent()) {
            throw new SettingRefusedException(
                    lease().value(),
                    "idempotentRepository",
                    "a fenced one on the consumer of route " + route.getId() + ", which has a route policy",
                    "the consumer behind fencedlease:" + lease()
                            + ": instead of the policy, or an idempotentConsumer step");
        }
    }

    @Override
    public void onRemove(Route route) {
        PolicyPart part = parts.remove(route.getId());
        if (part != null) {
            part.unwant();
        }
    }

    @Override
    public void onStart(Route route) {
        PolicyPart part = parts.get(route.getId());
        if (part != null) {
            part.startedBySomebody();
        }
    }

    @Override
    public void onStop(Route route) {
        PolicyPart part = parts.get(route.getId());
        if (part != null) {
            part.stoppedBySomebody();
        }
    }

    @Override
    public void onExchangeBegin(Route route, Exchange exchange) {
        PolicyPart part = parts.get(route.getId());
        RunningTenure tenure = part == null ? null : part.tenure();
        try {
            if (tenure == null) {
                throw NoTenureException.none(lease(), "route " + route.getId());
            }
            TenureStamp.enter(exchange, tenure);
        } catch (NoTenureException | LeaseLostException refused) {
            // the exception alone would be cleared by the first step's error handler
            exchange.setException(refused);
            exchange.setRouteStop(true);
        }
    }

    @Override
    public void onExchangeDone(Route route, Exchange exchange) {
        TenureStamp stamp = TenureStamp.of(exchange);
        if (stamp != null && stamp.tenure().lease().equals(lease())) {
            stamp.exit(exchange);
        }
    }

    @Override
    public String toString() {
        return "FencedLeaseRoutePolicy[" + lease + "]";
    }
}
