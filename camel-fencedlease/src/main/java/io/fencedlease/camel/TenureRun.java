package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tenure at work, from the start of its parts to the moment when nothing of it is left and the lease is given back.
 * Confined to the loop, except where noted.
 */
final class TenureRun {

    /** Why a run ends. */
    enum Ending {
        /** The tenure is over; what runs is told and must stop. */
        LOST,
        /** Its parts did not start; another node shall try. */
        COULD_NOT_START,
        /** Nobody wants it any more: work ends first, then the tenure. */
        PLANNED
    }

    private static final Logger LOG = LoggerFactory.getLogger(TenureRun.class);

    private final RunningTenure tenure;
    private final LeaseSettings settings;
    private final Duration drainTimeout;
    private final String holder;
    private final WorkThreads threads;
    private final Emptying emptying;
    private final Underway underway;
    private final Set<LeasedPart> begun = new LinkedHashSet<>();
    private final CompletableFuture<Void> givenBack = new CompletableFuture<>();
    private final CompletableFuture<Ending> over = new CompletableFuture<>();
    private final long begunAt = Ticker.system().nanos();

    private CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);
    private volatile boolean ending;
    private volatile @Nullable String problem;

    TenureRun(RunningTenure tenure, LeasedWork.Terms terms, String holder, QueuedCopies queued, WorkThreads threads) {
        this.tenure = tenure;
        this.settings = terms.settings();
        this.drainTimeout = terms.drainTimeout();
        this.holder = holder;
        this.threads = threads;
        this.emptying = new Emptying(tenure, queued, threads.loop());
        this.underway = new Underway(threads);
    }

    /** Starts the parts one after the other, looking at the lease before each. */
    void start(Collection<LeasedPart> parts) {
        tenure.lease().lost().thenRun(() -> threads.loop().execute(() -> end(Ending.LOST)));
        begun.addAll(parts);
        Timers.Pending limit = threads.loop()
                .after(settings.startTimeout(), () -> couldNotStart("not started within " + settings.startTimeout()));
        for (LeasedPart part : begun) {
            starting = starting.thenCompose(ok -> underway.begin(part, "start", this::startNow));
        }
        starting.whenComplete((ok, failure) -> threads.loop().execute(() -> {
            limit.cancel();
            started(failure);
        }));
    }

    /** On a worker. A start that came too late is stopped by the end, which waits for it. */
    private void startNow(LeasedPart part) throws Exception {
        if (!ending) {
            tenure.lease().ensureHeld();
            part.start(tenure);
            if (ending) {
                part.suspend();
            }
        }
    }

    private void started(@Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            couldNotStart(String.valueOf(cause));
        } else if (!ending) {
            LOG.info("{} started {} by {} in {} ms", tenure.tenure(), names(), holder, millisSince(begunAt));
        }
    }

    private void couldNotStart(String why) {
        if (ending || tenure.lost()) {
            return;
        }
        LOG.warn("{} gives the lease back: {} could not start: {}", tenure.tenure(), names(), why);
        end(Ending.COULD_NOT_START);
        tenure.lease().standDown("could not start: " + why);
    }

    /** A part that came later. */
    void add(LeasedPart part) {
        begun.add(part);
        CompletableFuture<Void> started = underway.begin(part, "start", this::startNow);
        starting = CompletableFuture.allOf(starting, started);
        started.whenComplete((ok, failure) -> {
            if (failure != null && !(failure instanceof LeaseLostException)) {
                threads.loop().execute(() -> couldNotStart(failure.toString()));
            }
        });
    }

    /** A part that its user stopped; what it has in flight still counts. */
    void remove(LeasedPart part) {
        begun.remove(part);
    }

    boolean ending() {
        return ending;
    }

    Lease lease() {
        return tenure.lease();
    }

    /** Why this run does not come to its end; any thread. */
    Optional<String> problem() {
        return givenBack.isDone() && !over.isDone()
                ? underway.longest()
                        .map(what -> tenure.tenure() + " is given back, but " + what
                                + "; not asked for again here until that ends")
                : Optional.ofNullable(problem);
    }

    /** Completes when nothing is left and the lease was given back, with the reason of the end. */
    CompletableFuture<Ending> over() {
        return over;
    }

    /** Takes in nothing new, waits until nothing is left, stops the parts, gives the lease back. Once. */
    void end(Ending why) {
        if (ending) {
            return;
        }
        ending = true;
        long since = Ticker.system().nanos();
        if (why == Ending.LOST) {
            LOG.warn("{} lost: {}; {} exchanges in flight", tenure.tenure(), reason(), tenure.alive());
        }
        Duration limit = why == Ending.PLANNED ? drainTimeout : settings.lossStopTimeout();
        CompletableFuture<Void> quiet =
                CompletableFuture.allOf(each("suspend", part -> threads.onWorker(part::suspend)), starting);
        threads.atMost(limit, quiet).thenRun(() -> threads.loop().execute(() -> drain(why, since, limit)));
    }

    private void drain(Ending why, long since, Duration limit) {
        Timers.Pending late = threads.loop().after(limit, () -> notDrained(why, since));
        emptying.close().thenRun(() -> threads.loop().execute(() -> {
            late.cancel();
            CompletableFuture<Void> stopped = CompletableFuture.allOf(
                    each("stop", part -> underway.begin(part, "stop", LeasedPart::stop)), starting);
            threads.atMost(settings.lossStopTimeout(), stopped)
                    .thenRun(() -> threads.loop().execute(() -> giveBack(why, since)));
            // a start that hangs does not keep the lease from others, but it keeps us from asking again
            stopped.whenComplete((ok, failure) -> givenBack.thenRun(() -> over.complete(why)));
        }));
    }

    private void notDrained(Ending why, long since) {
        problem = tenure.tenure() + ": " + tenure.alive() + " exchanges still run after its end";
        LOG.warn(
                "{} {} exchanges still run {} ms after the {}; the lease is kept and not asked for again until they end",
                tenure.tenure(),
                tenure.alive(),
                millisSince(since),
                why == Ending.PLANNED ? "planned stop" : "loss");
        if (why == Ending.PLANNED) {
            tenure.lease().standDown("drain timed out with work in flight");
        }
    }

    private void giveBack(Ending why, long since) {
        problem = null;
        LOG.info(
                "{} {} {} ms after {}",
                tenure.tenure(),
                why == Ending.PLANNED ? "drained, released" : "stopped",
                millisSince(since),
                why == Ending.PLANNED ? "the planned stop began" : "its end");
        tenure.lease().close();
        givenBack.complete(null);
    }

    /** The context is stopping and has stopped our parts itself: gives back at once if nothing is left. */
    boolean giveBackIfQuiet(Collection<LeasedPart> parts, long stoppingSince) {
        if (!givenBack.isDone()
                && parts.stream().allMatch(LeasedPart::quiet)
                && begun.stream().allMatch(LeasedPart::quiet)
                && emptying.looksEmpty()) {
            ending = true;
            tenure.closeWhenEmpty();
            giveBack(Ending.PLANNED, stoppingSince);
        }
        return givenBack.isDone();
    }

    /** The context is gone: nothing is waited for any more. */
    void abandon(long stoppingSince) {
        ending = true;
        if (givenBack.isDone()) {
            return;
        }
        if (tenure.closeWhenEmpty().isDone()) {
            giveBack(Ending.PLANNED, stoppingSince);
        } else {
            LOG.warn("{} {} exchanges outlive the context; not released", tenure.tenure(), tenure.alive());
            tenure.lease().standDown("context stopped with work in flight");
        }
    }

    private CompletableFuture<Void> each(String what, Function<LeasedPart, CompletableFuture<Void>> doing) {
        return CompletableFuture.allOf(begun.stream()
                .map(part -> doing.apply(part).exceptionally(failure -> {
                    LOG.warn("{} could not {} {}: {}", tenure.tenure(), what, part.describe(), failure.toString());
                    return null;
                }))
                .toArray(CompletableFuture[]::new));
    }

    private String reason() {
        return tenure.lease().lossReason().map(Object::toString).orElse("unknown");
    }

    private String names() {
        return begun.stream().map(LeasedPart::describe).toList().toString();
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(Ticker.system().nanos() - nanos).toMillis();
    }
}
