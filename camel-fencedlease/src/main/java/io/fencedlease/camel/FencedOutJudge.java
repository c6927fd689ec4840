package io.fencedlease.camel;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who is wrong when a fence refused a write: asks the service whether the lease is still ours. If it is not, the
 * tenure ends by that. If it is, the resource is ahead of the service: that is reported, and the lease is kept, because
 * every other node would meet the same resource. Thread-safe.
 */
final class FencedOutJudge {

    private static final Logger LOG = LoggerFactory.getLogger(FencedOutJudge.class);

    private final Executor workers;
    private final Map<LeaseName, Ahead> ahead = new ConcurrentHashMap<>();
    private final Map<LeaseName, Ahead> told = new ConcurrentHashMap<>();

    /** @param stopped the routes that write there, stopped until the next tenure */
    private record Ahead(Object fence, String resource, long token, long mark, List<String> stopped) {
        @Override
        public String toString() {
            return resource + " is ahead of the lease service: its mark is " + mark
                    + ", the lease, confirmed, has token " + token
                    + (stopped.isEmpty() ? "" : "; stopped until the next tenure: routes " + stopped);
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
                report(lease, new Ahead(fence, refused.resource(), refused.token(), refused.mark(), stop.get()));
            }
        };
        lease.confirm().whenCompleteAsync(judged, workers);
    }

    private void report(Lease lease, Ahead found) {
        ahead.put(lease.name(), found);
        if (!found.equals(told.put(lease.name(), found))) {
            LOG.error("{} fenced out: {}; the lease is kept", lease.tenure(), found);
        }
    }

    /** A write of this tenure took effect: what its fence had refused before is no problem any more. */
    void wrote(Lease lease, Object fence) {
        Ahead found = ahead.get(lease.name());
        if (found != null
                && found.fence() == fence
                && found.token() <= lease.token().value()) {
            ahead.remove(lease.name(), found);
        }
    }

    /** The last resource found ahead, unless a later tenure has passed it. */
    Optional<String> problem(LeaseName lease, long token) {
        Ahead found = ahead.get(lease);
        return found == null || found.mark() < token ? Optional.empty() : Optional.of(found.toString());
    }
}
