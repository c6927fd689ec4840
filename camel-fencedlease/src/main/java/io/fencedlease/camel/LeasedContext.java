package io.fencedlease.camel;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Ailment;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Timers;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.ShutdownStrategy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All leases of one context: what runs under them, what is fenced for them. Thread-safe. */
final class LeasedContext {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedContext.class);
    private static final int END_SECONDS = 5;

    private final CamelContext context;
    private final Leases leases;
    private final LeaseBackend backend;
    private final LeaseOptions defaults;
    private final String holder;
    private final WorkThreads threads;
    private final FenceRegistry fences;
    private final FencedOutJudge judge;
    private final Map<LeaseName, Entry> entries = new ConcurrentHashMap<>();
    private volatile boolean open;

    private record Entry(LeaseOptions options, @Nullable LeasedWork work) {}

    LeasedContext(CamelContext context, Leases leases, LeaseBackend backend, LeaseOptions defaults, String holder) {
        this.context = context;
        this.leases = leases;
        this.backend = backend;
        this.defaults = defaults;
        this.holder = holder;
        this.fences = new FenceRegistry(leases);
        this.threads = new WorkThreads(
                Timers.system("fencedlease-work-" + context.getName()),
                context.getExecutorServiceManager().newCachedThreadPool(this, "fencedlease"));
        this.judge = new FencedOutJudge(threads.workers());
        this.open = context.isStarted();
    }

    /**
     * Says what is wanted of a lease; all that is said about one lease has to agree.
     *
     * @throws SettingRefusedException if the options contradict themselves or what was said elsewhere about this lease,
     *     or the context pools its exchanges
     */
    void declare(LeaseName lease, LeaseOptions options) {
        refusePooling(lease);
        entries.compute(lease, (name, known) -> {
            if (known == null) {
                terms(name, options);
                return new Entry(options, null);
            }
            LeaseOptions both = known.options().with(name, options);
            LeasedWork.Terms terms = terms(name, both);
            if (open && known.work() != null && !terms.equals(terms(name, known.options()))) {
                throw new SettingRefusedException(
                        name.value(),
                        "lease.*",
                        options.given(),
                        "what the lease runs with: " + terms(name, known.options()));
            }
            return new Entry(both, known.work());
        });
    }

    /** What runs under a lease that was declared. */
    LeasedWork work(LeaseName lease) {
        Entry entry = entries.compute(lease, (name, known) -> {
            LeaseOptions options = known == null ? LeaseOptions.NONE : known.options();
            LeasedWork work = known == null ? null : known.work();
            return new Entry(options, work == null ? newWork(name) : work);
        });
        LeasedWork work = Objects.requireNonNull(entry.work());
        if (open) {
            work.open();
        }
        return work;
    }

    private LeasedWork newWork(LeaseName lease) {
        return new LeasedWork(lease, () -> termsNow(lease), holder, leases, new QueuedCopies(context), threads);
    }

    /** Asked when the context has started, so that all of its routes have had their say. */
    private LeasedWork.Terms termsNow(LeaseName lease) {
        Entry entry = entries.get(lease);
        return terms(lease, entry == null ? LeaseOptions.NONE : entry.options());
    }

    private LeasedWork.Terms terms(LeaseName lease, LeaseOptions options) {
        LeaseOptions all = options.over(defaults);
        ShutdownStrategy shutdown = context.getShutdownStrategy();
        Duration drain =
                Duration.of(shutdown.getTimeout(), shutdown.getTimeUnit().toChronoUnit());
        return new LeasedWork.Terms(all.settings(lease.value()), all.drainTimeout(drain));
    }

    private Stream<LeasedWork> works() {
        return entries.values().stream().map(Entry::work).flatMap(Stream::ofNullable);
    }

    private void refusePooling(LeaseName lease) {
        if (context.getCamelContextExtension().getExchangeFactory().isPooled()) {
            throw new SettingRefusedException(
                    lease.value(),
                    "exchangeFactory",
                    "pooled",
                    "prototype: a pooled exchange carries the tenure of its earlier use");
        }
    }

    LeaseBackend backend() {
        return backend;
    }

    FenceRegistry fences() {
        return fences;
    }

    WorkThreads threads() {
        return threads;
    }

    PublishedTenures published() {
        return new PublishedTenures(leases);
    }

    FencedOutJudge judge() {
        return judge;
    }

    void contextStarted() {
        open = true;
        works().forEach(LeasedWork::open);
    }

    void contextStopping() {
        works().forEach(LeasedWork::contextStopping);
    }

    /** The context's routes have ended: ends what is left, destroys the sessions. Waits a few seconds at most. */
    void end() {
        CompletableFuture<?>[] ended = works().map(LeasedWork::end).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ended).get(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failed) {
            LOG.warn("leased work did not end in order: {}", failed.toString());
        }
        leases.close();
        threads.loop().close();
        context.getExecutorServiceManager().shutdown(threads.workers());
    }

    /**
     * Stops, for the rest of this tenure, the routes from which a fence can be reached; the others of the lease go on.
     *
     * @param routeId one of which that is known, whatever the models say
     */
    List<String> stopUsers(Lease lease, Fence fence, String routeId) {
        Entry entry = entries.get(lease.name());
        LeasedWork work = entry == null ? null : entry.work();
        Optional<LeasedRoutes> routes = LeasedRoutes.of(context);
        return work == null
                ? List.of()
                : work.stopInTenure(
                        lease,
                        id -> id.equals(routeId)
                                || routes.map(known -> known.sinks().reaches(lease.name(), id, fence))
                                        .orElse(true));
    }

    /** How long an old holder goes on: by the settings, and as measured here. */
    LeaseSinks.Overlap overlap(LeaseName lease) {
        Entry entry = entries.get(lease);
        return new LeaseSinks.Overlap(
                termsNow(lease).settings().lossStopTimeout(),
                entry == null || entry.work() == null
                        ? Optional.empty()
                        : entry.work().worstStop());
    }

    CompletableFuture<Long> openGeneration(LeaseName lease, long atLeast) {
        return leases.openGeneration(lease, Math.max(atLeast, judge.mark(lease)))
                .whenComplete((above, failure) -> {
                    if (failure == null) {
                        Entry entry = entries.get(lease);
                        LeasedWork work = entry == null ? null : entry.work();
                        judge.generationOpened(lease, Optional.ofNullable(work).flatMap(LeasedWork::held));
                    }
                });
    }

    /** What this node knows about each lease, with what is wrong with its work. */
    List<LeaseReport> reports() {
        return leases.reports().stream().map(this::withProblemOfWork).toList();
    }

    private LeaseReport withProblemOfWork(LeaseReport report) {
        Entry entry = entries.get(report.lease());
        long token = report.tenure().map(tenure -> tenure.token().value()).orElse(Long.MAX_VALUE);
        Optional<Ailment> work = entry == null || entry.work() == null
                ? Optional.empty()
                : entry.work().ailment();
        return report.with(work).with(judge.ailment(report.lease(), token));
    }
}
