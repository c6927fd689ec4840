package io.fencedlease.camel;

import io.fencedlease.lease.Ailment;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything in one context that runs under one lease: asks for the lease as long as there is something to run, lets each
 * tenure run, and asks again. State is confined to the loop; public methods of it may be called from any thread.
 */
final class LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedWork.class);
    private static final int BACKOFF_DOUBLINGS = 4;

    /** A route reload removes and adds its routes: it must not cost a tenure. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private final LeaseName name;
    private final Supplier<Terms> asked;
    private final String holder;
    private final Leases leases;
    private final QueuedCopies queued;
    private final WorkThreads threads;
    private final StopTimes stopTimes = new StopTimes();
    private final Set<LeasedPart> parts = Collections.synchronizedSet(new LinkedHashSet<>());
    private @Nullable Terms terms;
    private boolean open;
    private volatile boolean stopping;
    private long stoppingSince;
    private int failedStarts;
    private @Nullable CompletableFuture<Lease> competing;
    private Timers.@Nullable Pending backoff;
    private Timers.@Nullable Pending linger;
    private volatile @Nullable TenureRun run;
    private volatile @Nullable String problem;

    /** The times of a lease and of the work under it. */
    record Terms(LeaseSettings settings, Duration drainTimeout) {}

    LeasedWork(
            LeaseName name,
            Supplier<Terms> terms,
            String holder,
            Leases leases,
            QueuedCopies queued,
            WorkThreads threads) {
        this.name = name;
        this.asked = terms;
        this.holder = holder;
        this.leases = leases;
        this.queued = queued;
        this.threads = threads;
    }

    /** The context is started: from now on the lease is asked for. */
    void open() {
        threads.loop().execute(() -> {
            open = true;
            compete();
        });
    }

    /** Something to run while the lease is held; at once if it is held now. */
    void add(LeasedPart part) {
        threads.loop().execute(() -> {
            parts.add(part);
            if (linger != null) {
                linger.cancel();
                linger = null;
            }
            if (run != null && !run.ending()) {
                run.add(part);
            } else {
                compete();
            }
        });
    }

    /** Its user stopped it. After the last one the lease is given back, a little later. */
    void remove(LeasedPart part) {
        threads.loop().execute(() -> {
            if (!parts.remove(part)) {
                return;
            }
            if (run != null) {
                run.remove(part);
            }
            if (parts.isEmpty() && !stopping) {
                linger = threads.loop().after(LINGER, this::endUnlessWanted);
            }
        });
    }

    private void endUnlessWanted() {
        linger = null;
        if (!parts.isEmpty()) {
            return;
        }
        if (competing != null) {
            competing.cancel(false);
        }
        if (run != null) {
            run.end(TenureRun.Ending.PLANNED);
        }
    }

    /** The same for all tenures, once asked. */
    private Terms terms() {
        if (terms == null) {
            terms = asked.get();
        }
        return terms;
    }

    private void compete() {
        if (!open || stopping || parts.isEmpty() || competing != null || run != null || backoff != null) {
            return;
        }
        CompletableFuture<Lease> asked = leases.acquire(name, terms().settings());
        competing = asked;
        asked.whenComplete((lease, failure) -> threads.loop().execute(() -> answered(lease, failure)));
    }

    private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
        competing = null;
        if (failure instanceof CancellationException) {
            // by us, nobody wanted it; perhaps somebody does again
            compete();
        } else if (lease == null) {
            if (!stopping && !parts.isEmpty()) {
                problem = "not competing: " + failure;
                Duration wait = terms().settings().lockDelay();
                LOG.warn("lease '{}' could not be asked for: {}; again in {}", name, failure, wait);
                competeAfter(wait);
            }
        } else if (stopping || parts.isEmpty()) {
            lease.close();
        } else {
            problem = null;
            TenureRun next = new TenureRun(new RunningTenure(lease), terms(), holder, queued, threads);
            run = next;
            stopTimes.follow(lease, next.over());
            next.over().thenAccept(why -> threads.loop().execute(() -> ended(why)));
            next.start(parts);
        }
    }

    private void ended(TenureRun.Ending why) {
        run = null;
        if (why == TenureRun.Ending.COULD_NOT_START) {
            Duration wait =
                    terms().settings().lockDelay().multipliedBy(1L << Math.min(failedStarts++, BACKOFF_DOUBLINGS));
            problem = "could not start; asks again within " + wait;
            competeAfter(wait);
        } else {
            failedStarts = 0;
            compete();
        }
    }

    private void competeAfter(Duration wait) {
        backoff = threads.loop().after(wait, () -> {
            backoff = null;
            compete();
        });
    }

    /** The context is stopping: no more asking; gives the lease back as soon as its own work has ended. */
    void contextStopping() {
        threads.loop().execute(() -> {
            stopAsking();
            giveBackWhenQuiet();
        });
    }

    private void stopAsking() {
        if (!stopping) {
            stopping = true;
            stoppingSince = Ticker.system().nanos();
        }
        if (competing != null) {
            competing.cancel(false);
        }
    }

    private void giveBackWhenQuiet() {
        if (run != null && !run.giveBackIfQuiet(parts, stoppingSince)) {
            threads.loop().after(Emptying.LOOK_AGAIN, this::giveBackWhenQuiet);
        }
    }

    /** The context's routes are gone; completes at once. What still runs loses its tenure. */
    CompletableFuture<Void> end() {
        return threads.onLoop(() -> {
            stopAsking();
            if (run != null) {
                run.abandon(stoppingSince);
            }
            return null;
        });
    }

    /** Stops some of the parts for the rest of a tenure, if it lasts. */
    List<String> stopInTenure(Lease lease, Predicate<String> routeIds) {
        BooleanSupplier lasts = () -> lease.lossReason().isEmpty() && !stopping;
        List<LeasedPart> stopped = List.copyOf(parts).stream()
                .filter(part -> routeIds.test(part.routeId()))
                .toList();
        stopped.forEach(part -> EarlyStop.begin(part, threads, lasts));
        return stopped.stream().map(LeasedPart::routeId).toList();
    }

    /** The lease of the tenure that runs now. */
    Optional<Lease> held() {
        return Optional.ofNullable(run).map(TenureRun::lease);
    }

    /** The longest that work went on after a loss. */
    Optional<Duration> worstStop() {
        return stopTimes.worst();
    }

    /** What is wrong with the work, as against the lease. */
    Optional<Ailment> ailment() {
        Optional<Ailment> stillRunning = Optional.ofNullable(run)
                .flatMap(TenureRun::problem)
                .map(text -> new Ailment(Ailment.Kind.STILL_RUNNING, text));
        return stillRunning.or(
                () -> Optional.ofNullable(problem).map(text -> new Ailment(Ailment.Kind.TRANSIENT, text)));
    }
}
