package io.fencedlease.camel.health;

import io.fencedlease.lease.LeaseReport;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckResultBuilder;

/** How this node's leases are, for Camel's health registry: reads what is known, asks nobody. Thread-safe. */
final class LeaseHealthCheck implements HealthCheck {

    /** Of so many leases the details are shown, those with an ailment first. */
    private static final int SHOWN = 50;

    private final String id;
    private final Verdict verdict;
    private final Supplier<List<LeaseReport>> reports;
    private volatile boolean enabled = true;

    LeaseHealthCheck(String id, Verdict verdict, Supplier<List<LeaseReport>> reports) {
        this.id = id;
        this.verdict = verdict;
        this.reports = reports;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String getGroup() {
        return "camel";
    }

    @Override
    public boolean isReadiness() {
        return verdict == Verdict.READINESS;
    }

    @Override
    public boolean isLiveness() {
        return verdict == Verdict.LIVENESS;
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    @Override
    public Result call(Map<String, Object> options) {
        HealthCheckResultBuilder result = HealthCheckResultBuilder.on(this).detail(CHECK_ENABLED, enabled);
        if (!enabled) {
            return result.message("Disabled").unknown().build();
        }
        List<LeaseReport> all = reports.get();
        result.detail("leases", all.size());
        result.detail(
                "holding",
                all.stream().filter(r -> r.state() == LeaseReport.State.HOLDING).count());
        all.stream()
                .sorted(Comparator.comparing(r -> r.ailment().isEmpty()))
                .limit(SHOWN)
                .forEach(report -> describe(report, result));
        List<LeaseReport> ill =
                all.stream().filter(report -> verdict.on(report).isPresent()).toList();
        return ill.isEmpty()
                ? result.up().build()
                : result.message(message(ill)).down().build();
    }

    private static String message(List<LeaseReport> ill) {
        LeaseReport gravest = ill.stream()
                .max(Comparator.comparing(r -> r.ailment().orElseThrow().kind()))
                .orElseThrow();
        String others = ill.size() == 1 ? "" : "; and " + (ill.size() - 1) + " more leases";
        return "lease '" + gravest.lease() + "': " + gravest.problem().orElseThrow() + others;
    }

    private static void describe(LeaseReport report, HealthCheckResultBuilder result) {
        String lease = report.lease().value();
        result.detail(lease + ".state", report.state().name());
        report.tenure()
                .ifPresent(
                        tenure -> result.detail(lease + ".token", tenure.token().value()));
        report.holder().ifPresent(holder -> result.detail(lease + ".holder", holder));
        report.problem().ifPresent(problem -> result.detail(lease + ".problem", problem));
        report.regression().ifPresent(regression -> {
            result.detail(lease + ".mark", regression.mark());
            result.detail(lease + ".remedy", regression.remedy());
        });
    }
}
