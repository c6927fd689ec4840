package io.fencedlease.lease;

import io.fencedlease.lease.spi.LeaseBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to leases: asks one coordination service for them, keeps them, and tells of their end. Thread-safe.
 *
 * <p>Leases with equal settings share one session: if it is lost, all of them are. One thread runs the loop; raise hooks
 * and callbacks run on workers. <em>Does not guarantee</em> that no other node works at the same time; see {@link
 * Lease}.
 */
public final class Leases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    private final LeaseBackend backend;
    private final LeaseSettings defaults;
    private final String holder;
    private final Loop loop;
    private final Runnable stopWorkers;
    private final Map<LeaseName, CopyOnWriteArrayList<RaiseHook>> hooks = new ConcurrentHashMap<>();
    private final Map<LeaseName, SessionGroup> groupOf = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Duration longestAttempt;
    /** Confined to the loop. */
    private final Map<LeaseSettings, SessionGroup> groups = new HashMap<>();

    Leases(LeaseBackend backend, LeaseSettings defaults, String holder, Loop loop, Runnable stopWorkers) {
        this.backend = backend;
        this.defaults = defaults;
        this.longestAttempt = defaults.attemptLimit();
        this.holder = holder;
        this.loop = loop;
        this.stopWorkers = stopWorkers;
    }

    /** @param backend closed together with the leases */
    public static Builder builder(LeaseBackend backend) {
        return new Builder(backend);
    }

    /** As {@link #acquire(LeaseName, LeaseSettings)}, with the settings of the builder. */
    public CompletableFuture<Lease> acquire(LeaseName name) {
        return acquire(name, defaults);
    }

    /**
     * Competes for a lease until this node holds it and its fences are raised; completes once, with that tenure.
     *
     * <p>Call again for the next tenure: it competes only after the previous {@link Lease} was closed. Completing the
     * future yourself, as by cancelling, ends the competition. It fails with {@link IllegalStateException} if this lease is already being acquired
     * here, or held under other settings, or if these leases are closed; for no other reason. What depends on it runs on
     * one of few threads and must not block.
     */
    public CompletableFuture<Lease> acquire(LeaseName name, LeaseSettings settings) {
        CompletableFuture<Lease> future = new CompletableFuture<>();
        loop.timers().execute(() -> want(name, settings, future));
        future.whenComplete((lease, error) -> {
            if (error != null) {
                loop.timers().execute(() -> Optional.ofNullable(groupOf.get(name))
                        .ifPresent(g -> g.cancelled(name, future)));
            }
        });
        if (closed.get()) {
            future.completeExceptionally(new IllegalStateException("leases are closed"));
        }
        return future;
    }

    private void want(LeaseName name, LeaseSettings settings, CompletableFuture<Lease> future) {
        if (closed.get() || future.isDone()) {
            future.completeExceptionally(new IllegalStateException("leases are closed"));
            return;
        }
        SessionGroup group = groups.computeIfAbsent(settings, s -> new SessionGroup(loop, backend, s, holder));
        SessionGroup before = groupOf.get(name);
        if (before != null && before != group && !before.handOver(name)) {
            future.completeExceptionally(new IllegalStateException(
                    "lease '" + name + "' is in use with other settings; given: " + settings));
            return;
        }
        groupOf.put(name, group);
        if (settings.attemptLimit().compareTo(longestAttempt) > 0) {
            longestAttempt = settings.attemptLimit();
        }
        group.want(name, hooksOf(name), future);
    }

    private CopyOnWriteArrayList<RaiseHook> hooksOf(LeaseName name) {
        return hooks.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>());
    }

    /**
     * Registers what has to be done with each new tenure of a lease before anybody gets it. Not run for a tenure that is
     * already held.
     *
     * @return closing it takes the hook back
     */
    public Registration onRaise(LeaseName name, RaiseHook hook) {
        hooksOf(name).add(hook);
        return () -> hooksOf(name).remove(hook);
    }

    /** What {@link #onRaise} can take back. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The tenure that the holder of a lease published last, also after its end; empty if none ever was. Asks the service
     * by a consistent read, whether or not this node wants the lease. Fails with {@link
     * io.fencedlease.lease.spi.BackendUnavailableException} if the service does not answer in time.
     */
    public CompletionStage<Optional<Tenure>> published(LeaseName name) {
        return backend.published(name, defaults.attemptLimit());
    }

    /** As {@link #openGeneration(LeaseName, long)}, with what this node and the service know. */
    public CompletableFuture<Long> openGeneration(LeaseName name) {
        return openGeneration(name, 0);
    }

    /**
     * Makes tokens rise again after the service went backwards: every later tenure of this lease gets a token above the
     * highest mark that the service, this node's {@link TokenRegression} and the caller know. Ends a tenure that is still
     * being prepared here, as one that waits because of such a regression, so that a new token is drawn; leaves a tenure
     * that is held alone. May be repeated; works whoever holds the lease, or nobody.
     *
     * <p>A regression that {@link #report} does not show at the moment of the call is not known: pass its mark.
     *
     * <p>Fails with {@link io.fencedlease.lease.spi.BackendRefusedException} (a missing right, a mark beyond all tokens)
     * or {@link io.fencedlease.lease.spi.BackendUnavailableException} (unknown: call again).
     *
     * @param atLeast a mark known from elsewhere; 0 if none
     * @return the number above which tokens go on
     */
    public CompletableFuture<Long> openGeneration(LeaseName name, long atLeast) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(new IllegalStateException("leases are closed"));
        }
        CompletableFuture<Long> answer = new GenerationCall(loop, backend, defaults.attemptLimit())
                .begin(() -> report(name), atLeast, () -> Optional.ofNullable(groupOf.get(name))
                        .ifPresent(group -> group.generationOpened(name)));
        if (closed.get()) {
            answer.completeExceptionally(new IllegalStateException("leases are closed"));
        }
        return answer;
    }

    /** What this node knows about a lease at this moment. Creates, renews and reads nothing. */
    public LeaseReport report(LeaseName name) {
        SessionGroup group = groupOf.get(name);
        return group == null ? LeaseReport.idle(name) : group.report(name);
    }

    /** One report for each lease that was ever asked for here, by name. */
    public List<LeaseReport> reports() {
        return groupOf.keySet().stream().sorted().map(this::report).toList();
    }

    /**
     * Ends everything: tenures that are open end with {@link LossReason.Kind#CLOSED}, leases that were closed are given
     * back, then the sessions are destroyed, which shuts what is still held for the lock-delay. Waits for that, at most
     * about four of the longest attempt limits. Idempotent. Never call it from a callback of a lease.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Duration bound = longestAttempt.multipliedBy(4).plusSeconds(1);
        try {
            endInOrder().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn("leases not closed within {} ms; sessions end by their TTL", bound.toMillis());
        }
        backend.close();
        loop.timers().close();
        stopWorkers.run();
    }

    CompletableFuture<Void> endInOrder() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.timers().execute(() -> new Closing(loop, List.copyOf(groups.values()), done).begin());
        return done;
    }

    /** Collects what {@link Leases} needs. */
    public static final class Builder {

        private static final int RAISING = 32;
        private static final int CALLING_BACK = 4;

        private final LeaseBackend backend;
        private LeaseSettings settings = LeaseSettings.defaults();
        private String holder = "pid " + ProcessHandle.current().pid();

        private Builder(LeaseBackend backend) {
            this.backend = backend;
        }

        /** For leases that bring no settings of their own. */
        public Builder settings(LeaseSettings value) {
            settings = value;
            return this;
        }

        /** Who this node is, for people on other nodes; {@code pid <number>} by default. */
        public Builder holder(String value) {
            holder = value;
            return this;
        }

        /** Starts the loop; no session is opened before the first {@link Leases#acquire}. */
        public Leases build() {
            ExecutorService workers = WorkerPool.of("fencedlease-raise", RAISING);
            ExecutorService callbacks = WorkerPool.of("fencedlease-callback", CALLING_BACK);
            Loop loop = new Loop(
                    Ticker.system(), Timers.system("fencedlease-loop"), workers, callbacks, new SecureRandom());
            return new Leases(backend, settings, holder, loop, () -> {
                workers.shutdown();
                callbacks.shutdown();
            });
        }
    }
}
