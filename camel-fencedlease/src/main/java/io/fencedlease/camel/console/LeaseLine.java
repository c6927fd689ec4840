package io.fencedlease.camel.console;

import io.fencedlease.lease.LeaseReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** One lease of one component, as the page shows it; those with a problem come first. The nonce is not shown. */
record LeaseLine(String component, LeaseReport report) implements Comparable<LeaseLine> {

    private static final Comparator<LeaseLine> ORDER = Comparator.comparing(
                    (LeaseLine line) -> line.report().ailment().isEmpty())
            .thenComparing(line -> line.report().lease().value())
            .thenComparing(LeaseLine::component);

    @Override
    public int compareTo(LeaseLine other) {
        return ORDER.compare(this, other);
    }

    String text() {
        String since = report.since().map(when -> " since " + when).orElse("");
        String token =
                report.tenure().map(tenure -> ", token " + tenure.token()).orElse("");
        String left = report.left()
                .map(time -> ", believed for " + time.toMillis() + " ms without a further renewal")
                .orElse("");
        String holder = report.holder().map(who -> ", held by " + who).orElse("");
        String problem = report.problem().map(what -> "\n  problem: " + what).orElse("");
        return "lease '" + report.lease() + "' (" + component + ") " + report.state() + since + token + left + holder
                + problem;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lease", report.lease().value());
        json.put("component", component);
        json.put("state", report.state().name());
        report.since().ifPresent(since -> json.put("since", since.toString()));
        report.tenure().ifPresent(tenure -> json.put("token", tenure.token().value()));
        report.left().map(Duration::toMillis).ifPresent(left -> json.put("leftMillis", left));
        report.holder().ifPresent(holder -> json.put("holder", holder));
        report.ailment().ifPresent(ailment -> {
            json.put("ailment", ailment.kind().name());
            json.put("problem", ailment.text());
        });
        report.regression().ifPresent(regression -> {
            json.put("mark", regression.mark());
            json.put("remedy", regression.remedy());
        });
        return json;
    }
}
