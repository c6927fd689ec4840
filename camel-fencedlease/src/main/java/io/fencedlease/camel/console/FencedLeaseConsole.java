package io.fencedlease.camel.console;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.camel.report.LeaseSinks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.spi.annotations.DevConsole;
import org.apache.camel.support.PatternHelper;
import org.apache.camel.support.console.AbstractDevConsole;

/**
 * The page {@code fencedlease}: where each lease of the context stands on this node, and what its routes write to. Reads
 * what is known: asks no service, creates, renews and ends nothing, shows no secret. Thread-safe.
 */
@DevConsole(
        name = "fencedlease",
        displayName = "Fenced leases",
        description = "Leases of this node, and what stands between its sinks and a stale holder")
public class FencedLeaseConsole extends AbstractDevConsole {

    /** Only leases whose name fits: a name, {@code prefix*} or a regular expression. */
    public static final String FILTER = "filter";

    /** At most so many leases, those with a problem first; 100 by default. */
    public static final String LIMIT = "limit";

    private static final int SHOWN = 100;

    public FencedLeaseConsole() {
        super("camel", "fencedlease", "Fenced leases", "Leases of this node, and what its routes write to");
    }

    @Override
    protected String doCallText(Map<String, Object> options) {
        List<LeaseLine> leases = leases(options);
        List<LeaseSinks> sinks = sinks(options);
        String blocks = sinks.stream()
                .map(one -> "\n" + one.text()
                        + one.warnings().stream().map(w -> "\n  warning: " + w).collect(Collectors.joining()))
                .collect(Collectors.joining());
        return (leases.isEmpty()
                        ? "no leases"
                        : leases.stream().map(LeaseLine::text).collect(Collectors.joining("\n")))
                + blocks
                + "\nopen sinks: " + open(sinks) + "\n";
    }

    @Override
    protected Map<String, Object> doCallJson(Map<String, Object> options) {
        List<LeaseSinks> sinks = sinks(options);
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("leases", leases(options).stream().map(LeaseLine::json).toList());
        page.put("openSinks", open(sinks));
        page.put("sinks", sinks.stream().map(SinkLines::json).toList());
        return page;
    }

    private static int open(List<LeaseSinks> sinks) {
        return sinks.stream().mapToInt(one -> one.open().size()).sum();
    }

    private List<LeaseLine> leases(Map<String, Object> options) {
        return components()
                .flatMap(name -> component(name).reports().stream().map(report -> new LeaseLine(name, report)))
                .filter(line -> fits(options).test(line.report().lease().value()))
                .sorted()
                .limit(Integer.parseInt(String.valueOf(options.getOrDefault(LIMIT, SHOWN))))
                .toList();
    }

    /** One report for the whole context, whichever component is asked. */
    private List<LeaseSinks> sinks(Map<String, Object> options) {
        return components()
                .limit(1)
                .flatMap(name -> component(name).sinkReport().leases().stream())
                .filter(one -> fits(options).test(one.lease().value()))
                .toList();
    }

    private static Predicate<String> fits(Map<String, Object> options) {
        Object filter = options.get(FILTER);
        return lease -> filter == null || PatternHelper.matchPattern(lease, filter.toString());
    }

    /** By name; those that are there, none is made. */
    private Stream<String> components() {
        return getCamelContext().getComponentNames().stream()
                .filter(name -> getCamelContext().hasComponent(name) instanceof FencedLeaseComponent)
                .sorted();
    }

    private FencedLeaseComponent component(String name) {
        return (FencedLeaseComponent) getCamelContext().hasComponent(name);
    }
}
