package io.fencedlease.camel;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.camel.report.ReportedSink;
import io.fencedlease.camel.report.SinkReport;
import io.fencedlease.camel.report.SinkReports;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.StartupListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what the leased routes reach, when the context starts and when that changes; refuses to start what nothing fences
 * if it is told to. Thread-safe.
 */
final class SinkCheck implements StartupListener {

    private static final Logger LOG = LoggerFactory.getLogger(SinkCheck.class);

    private final CamelContext context;
    private final Map<String, Set<LeaseName>> leasesOf;
    private final SinkReports reports;
    private final Map<LeaseName, LeaseSinks> told = new HashMap<>();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile @Nullable WrittenDown writtenDown;

    /** What was written down after so many changes. */
    private record WrittenDown(int changes, Set<Endpoint> sinks) {}

    /** @param leasesOf by route id; may change at any time */
    SinkCheck(CamelContext context, Map<String, Set<LeaseName>> leasesOf) {
        this.context = context;
        this.leasesOf = leasesOf;
        this.reports = new SinkReports(context, uri -> FencedLeaseUri.cut(context, uri));
    }

    SinkReport report() {
        return reports.report(Map.copyOf(leasesOf), this::overlap);
    }

    SinkReports reports() {
        return reports;
    }

    /** Whether a fence is at a sink of a leased route, as far as the models say. */
    boolean reaches(LeaseName lease, String routeId, Fence fence) {
        return isAmong(reports.endpoints(lease, routeId), fence);
    }

    /** Whether a fence is at a sink that a leased route of any lease writes down. Cheap, until the routes change. */
    boolean isWrittenDown(Fence fence) {
        return isAmong(writtenDown(), fence);
    }

    private Set<Endpoint> writtenDown() {
        int now = changes.get();
        WrittenDown known = writtenDown;
        if (known == null || known.changes() != now) {
            known = new WrittenDown(
                    now,
                    leasesOf.entrySet().stream()
                            .flatMap(route ->
                                    route.getValue().stream().map(lease -> reports.endpoints(lease, route.getKey())))
                            .flatMap(Set::stream)
                            .collect(Collectors.toSet()));
            writtenDown = known;
        }
        return known.sinks();
    }

    private static boolean isAmong(Set<Endpoint> endpoints, Fence fence) {
        return endpoints.stream()
                .anyMatch(endpoint -> endpoint instanceof FencedLeaseEndpoint leased
                        && leased.fences().contains(fence));
    }

    void routesChanged() {
        changes.incrementAndGet();
    }

    private LeaseSinks.Overlap overlap(LeaseName lease) {
        FencedLeaseComponent component = FencedLeaseComponent.of(context);
        return component
                .currentContext()
                .map(leased -> leased.overlap(lease))
                .orElseGet(() -> new LeaseSinks.Overlap(
                        component.leaseOptions().settings(lease.value()).lossStopTimeout(), Optional.empty()));
    }

    /** Routes are complete, consumers not started yet: as the context starts, nothing has run so far. */
    @Override
    public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
        if (!alreadyStarted) {
            check(null);
        }
    }

    /**
     * @param routeId what must not start if it brings open sinks; any route if null
     * @throws SettingRefusedException if it does, and {@code unfencedSinks=fail}
     */
    synchronized void check(@Nullable String routeId) {
        if (leasesOf.isEmpty()) {
            return;
        }
        String mode = FencedLeaseComponent.of(context).getConfiguration().getUnfencedSinks();
        for (LeaseSinks sinks : report().leases()) {
            LeaseSinks before = told.get(sinks.lease());
            if (before == null
                    || !before.sinks().equals(sinks.sinks())
                    || !before.warnings().equals(sinks.warnings())) {
                if (mode.equals("fail")) {
                    refuseNew(before, sinks, routeId);
                }
                tell(before, sinks, mode);
                told.put(sinks.lease(), sinks);
            }
        }
    }

    private static void refuseNew(@Nullable LeaseSinks before, LeaseSinks now, @Nullable String routeId) {
        Set<ReportedSink> known = before == null ? Set.of() : new HashSet<>(before.open());
        List<ReportedSink> refused = now.open().stream()
                .filter(sink -> !known.contains(sink))
                .filter(sink -> routeId == null
                        || sink.route().equals(routeId)
                        || sink.via().contains(routeId))
                .toList();
        if (!refused.isEmpty()) {
            throw new SettingRefusedException(
                    now.lease().value(),
                    "unfencedSinks=fail",
                    lines(refused),
                    "sinks with a fence or a written reason, see docs/sinks.md");
        }
    }

    private static void tell(@Nullable LeaseSinks before, LeaseSinks now, String mode) {
        LOG.info("{}", now.text());
        if (!mode.equals("ignore") && !now.open().isEmpty()) {
            LOG.warn("lease '{}' reaches sinks that nothing fences: {}", now.lease(), lines(now.open()));
        }
        now.warnings().stream()
                .filter(warning -> before == null || !before.warnings().contains(warning))
                .forEach(warning -> LOG.warn("lease '{}' {}", now.lease(), warning));
    }

    private static String lines(List<ReportedSink> sinks) {
        return sinks.stream().map(ReportedSink::toString).collect(Collectors.joining("; "));
    }
}
