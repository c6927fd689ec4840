package io.fencedlease.camel;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Consumer;
import org.apache.camel.StartupListener;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * The delegate of a leased consumer: a new one for each tenure, so that what it delivers can carry no other. Only the
 * delegate consumer is stopped, never its endpoint, which other routes may use.
 */
final class DelegatePart implements LeasedPart {

    private final FencedLeaseConsumer owner;
    private final Lane lane = new Lane();
    private final AtomicReference<@Nullable Delegate> current = new AtomicReference<>();

    private record Delegate(Consumer consumer, RunningTenure tenure) {}

    DelegatePart(FencedLeaseConsumer owner) {
        this.owner = owner;
    }

    @Override
    public String describe() {
        return owner.describe();
    }

    @Override
    public String routeId() {
        return owner.getRouteId();
    }

    @Override
    public boolean idle() {
        return owner.getEndpoint().getCamelContext().getInflightRepository().size(routeId()) == 0;
    }

    @Override
    public Lane lane() {
        return lane;
    }

    @Override
    public void start(RunningTenure tenure) throws Exception {
        Delegate earlier = current.get();
        if (!owner.isRunAllowed() || owner.isSuspendingOrSuspended()) {
            return;
        }
        if (earlier != null && earlier.tenure() == tenure) {
            return;
        }
        stop();
        Consumer consumer = owner.newDelegate(tenure);
        try {
            ServiceHelper.startService(consumer.getEndpoint(), consumer);
            if (consumer instanceof StartupListener listener) {
                owner.getEndpoint().getCamelContext().addStartupListener(listener);
            }
        } catch (Exception failed) {
            owner.end(consumer);
            throw failed;
        }
        current.set(new Delegate(consumer, tenure));
        // the owner may have been stopped or suspended meanwhile, and have found nothing to stop
        if (!owner.isRunAllowed()) {
            stop();
        } else if (owner.isSuspendingOrSuspended()) {
            pause();
        }
    }

    @Override
    public void suspend() {
        Delegate delegate = current.get();
        if (delegate != null) {
            Intake.endAfterLoss(delegate.consumer());
        }
    }

    /** Its user suspended it. */
    void pause() {
        Delegate delegate = current.get();
        if (delegate != null) {
            ServiceHelper.suspendService(delegate.consumer());
        }
    }

    /** Goes on where it was suspended; false if there is nothing to go on with. */
    boolean resume() {
        Delegate delegate = current.get();
        if (delegate == null || delegate.tenure().lost()) {
            return false;
        }
        ServiceHelper.resumeService(delegate.consumer());
        return true;
    }

    @Override
    public void stop() {
        Delegate delegate = current.getAndSet(null);
        if (delegate != null) {
            owner.end(delegate.consumer());
        }
    }

    @Override
    public boolean quiet() {
        Delegate delegate = current.get();
        return delegate == null || Intake.ended(delegate.consumer());
    }

    /** The delegate's say in a shutdown, if it has one. */
    Optional<ShutdownAware> shutdownAware() {
        Delegate delegate = current.get();
        return delegate != null && delegate.consumer() instanceof ShutdownAware aware
                ? Optional.of(aware)
                : Optional.empty();
    }
}
