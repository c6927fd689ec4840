package io.fencedlease.camel;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Ailment;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who is wrong when a fence refused a write: asks the service whether the lease is still ours. If it is not, the
 * tenure ends by that. If it is, the resource is ahead of the service, or has lost its memory: that is reported, and the lease is kept, because
 * every other node would meet the same resource. Thread-safe.
 */
final class FencedOutJudge {

    private static final Logger LOG = LoggerFactory.getLogger(FencedOutJudge.class);

    private final Executor workers;
    private final Map<Where, Ahead> ahead = new ConcurrentHashMap<>();
    private final Map<Where, Ahead> told = new ConcurrentHashMap<>();

    /** One resource being mended says nothing about another. */
    private record Where(LeaseName lease, Object fence) {}

    /** @param stopped the routes that write there, stopped until the next tenure */
    private record Ahead(Object fence, Lease lease, String resource, long token, long mark, List<String> stopped) {

        /** A later look at the same thing is no news. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Ahead o && o.toString().equals(toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }

        @Override
        public String toString() {
            String facts = resource + " refuses the writes of lease '" + lease.name()
                    + "', which is ours, as the service" + " confirms, with token " + token + ": its mark is " + mark
                    + (stopped.isEmpty() ? "" : "; stopped until the next tenure: routes " + stopped);
            if (mark < token) {
                return facts
                        + "; that is lower than when it was raised. It has lost its memory: a row deleted, a database restored"
                        + " or failed over. Remedy: repair it, then end this tenure (restart this node, or call openGeneration): the next one raises it anew";
            }
            return facts + (mark == token ? ", of another tenure;" : ";")
                    + " it is ahead of the lease service, which went"
                    + " backwards, or somebody else writes there. Remedy: find out which; if it was the service, call"
                    + " openGeneration for lease '" + lease.name() + "' on this node";
        }
    }

    FencedOutJudge(Executor workers) {
        this.workers = workers;
    }

    /**
     * Does not wait.
     *
     * @param fence what refused; a write that it lets ends the matter
     * @param stop stops who writes there, and says which routes that are; called if the lease is ours
     */
    void fencedOut(Lease lease, FencedOutException refused, Object fence, Supplier<List<String>> stop) {
        BiConsumer<Boolean, Throwable> judged = (ours, unknown) -> {
            if (Boolean.TRUE.equals(ours)) {
                report(
                        lease,
                        new Ahead(fence, lease, refused.resource(), refused.token(), refused.mark(), stopped(stop)));
            }
        };
        lease.confirm().whenCompleteAsync(judged, workers);
    }

    /** That they could not be stopped must not hide why they should be. */
    private static List<String> stopped(Supplier<List<String>> stop) {
        try {
            return stop.get();
        } catch (RuntimeException failed) {
            LOG.error("routes that write to a resource ahead could not be stopped", failed);
            return List.of();
        }
    }

    private void report(Lease lease, Ahead found) {
        Where where = new Where(lease.name(), found.fence());
        ahead.put(where, found);
        if (!found.equals(told.put(where, found))) {
            LOG.error("{} fenced out, the lease is kept: {}", lease.tenure(), found);
        }
    }

    /** A write of this tenure took effect: what its fence had refused before is no problem any more. */
    void wrote(Lease lease, Object fence) {
        Where where = new Where(lease.name(), fence);
        Ahead found = ahead.get(where);
        if (found != null && found.token() <= lease.token().value()) {
            ahead.remove(where, found);
        }
    }

    /** Nobody here writes there any more. */
    void forget(Object fence) {
        ahead.keySet().removeIf(where -> where.fence() == fence);
        told.keySet().removeIf(where -> where.fence() == fence);
    }

    /** What it remembers, in entries. */
    int size() {
        return ahead.size() + told.size();
    }

    /** A resource found wrong, unless a later tenure has passed it. */
    Optional<Ailment> ailment(LeaseName lease, long token) {
        return of(lease)
                .filter(found -> found.token() == token || found.mark() >= token)
                .max(Comparator.comparingLong(Ahead::mark))
                .map(found -> new Ailment(Ailment.Kind.RESOURCE_AHEAD, found.toString()));
    }

    /** The highest mark that a resource was found ahead with; 0 if none was. */
    long mark(LeaseName lease) {
        return of(lease).mapToLong(Ahead::mark).max().orElse(0);
    }

    /** The tenure that runs ends if a resource is ahead of it, also if an earlier one met that, so that a new token is drawn. */
    void generationOpened(LeaseName lease, Optional<Lease> running) {
        Optional<Lease> behind =
                running.filter(now -> ailment(lease, now.token().value()).isPresent());
        ahead.keySet().removeIf(where -> where.lease().equals(lease));
        behind.ifPresent(now -> now.standDown("a new generation was opened"));
    }

    private Stream<Ahead> of(LeaseName lease) {
        return ahead.values().stream().filter(found -> found.lease().name().equals(lease));
    }
}
