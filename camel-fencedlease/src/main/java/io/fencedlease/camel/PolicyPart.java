package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A route under our policy, started and stopped by Camel's route controller. */
final class PolicyPart implements LeasedPart {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyPart.class);
    private static final int STOP_SECONDS = 1;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Route route;
    private final LeasedContext leased;
    private final LeaseName lease;
    private final Lane lane = new Lane();
    private final ThreadLocal<Boolean> byUs = ThreadLocal.withInitial(() -> false);
    private volatile boolean wanted;
    private volatile @Nullable RunningTenure tenure;

    PolicyPart(Route route, LeasedContext leased, LeaseName lease) {
        this.route = route;
        this.leased = leased;
        this.lease = lease;
    }

    /** To be started with each tenure from now on. */
    void want() {
        wanted = true;
        addOnceKnown();
    }

    /** A route that is being added to a running context cannot be started before the context knows it. */
    private void addOnceKnown() {
        CamelContext context = route.getCamelContext();
        if (!wanted || context.isStopping()) {
            return;
        }
        if (!context.isStarted() || context.getRoute(route.getId()) == route) {
            leased.work(lease).add(this);
        } else {
            leased.threads().loop().after(LOOK_AGAIN, this::addOnceKnown);
        }
    }

    void unwant() {
        wanted = false;
        leased.work(lease).remove(this);
    }

    /** The tenure that the route was started for, null while it must not run. */
    @Nullable
    RunningTenure tenure() {
        return tenure;
    }

    /** Its user stopped it, or its context did: the next gain does not start it. */
    void stoppedBySomebody() {
        if (!byUs.get()) {
            tenure = null;
            unwant();
        }
    }

    /** Its user started it: it runs from now on whenever the lease is held, but only then. */
    void startedBySomebody() {
        if (!byUs.get()) {
            want();
            // after the addition, on the loop and on the lane: a start that it brings comes first
            leased.threads().loop().execute(() -> lane.run(leased.threads(), this::stopUnlessHeld));
        }
    }

    private void stopUnlessHeld() throws Exception {
        if (tenure == null) {
            LOG.info("lease '{}' is not held: route {} waits for it", lease, route.getId());
            stop();
        }
    }

    @Override
    public String describe() {
        return "route " + route.getId();
    }

    @Override
    public String routeId() {
        return route.getId();
    }

    @Override
    public boolean idle() {
        return route.getCamelContext().getInflightRepository().size(routeId()) == 0;
    }

    @Override
    public Lane lane() {
        return lane;
    }

    @Override
    public void start(RunningTenure next) throws Exception {
        if (!wanted) {
            return;
        }
        tenure = next;
        controlled(context -> context.getRouteController().startRoute(route.getId()));
    }

    @Override
    public void suspend() {
        Intake.endAfterLoss(route.getConsumer());
    }

    @Override
    public void stop() throws Exception {
        tenure = null;
        if (!route.getCamelContext().isStopping()) {
            controlled(context ->
                    context.getRouteController().stopRoute(route.getId(), STOP_SECONDS, TimeUnit.SECONDS, false));
        }
    }

    @FunctionalInterface
    private interface Control {
        void on(CamelContext context) throws Exception;
    }

    /** The policy is told of starts and stops on the thread that asks for them. */
    private void controlled(Control control) throws Exception {
        byUs.set(true);
        try {
            control.on(route.getCamelContext());
        } finally {
            byUs.remove();
        }
    }

    @Override
    public boolean quiet() {
        return Intake.ended(route.getConsumer());
    }
}
