package io.fencedlease.examples.failover;

import java.util.ArrayList;
import java.util.List;

/** What distinguishes this run, as system properties of each node; the rest stands in application.properties. */
final class NodeSettings {

    private static final String COMPONENT = "-Dcamel.component.fencedlease.";

    private NodeSettings() {}

    static List<String> properties(DemoOptions options, String databaseUrl) {
        List<String> properties = new ArrayList<>();
        properties.add("-Dorg.slf4j.simpleLogger.logFile=System.out");
        properties.add("-Ddatabase=" + databaseUrl);
        properties.add("-Dfence=" + (options.fenced() ? "fencedlease:invoice-closer:" : ""));
        properties.add(COMPONENT + "ttl=" + options.ttl().toMillis());
        properties.add(COMPONENT + "raiseTimeout=" + Bounds.RAISE_TIMEOUT.toMillis());
        options.consul().ifPresentOrElse(url -> properties.add(COMPONENT + "consulUrl=" + url), () -> {
            properties.add(COMPONENT + "backend=jdbc");
            properties.add(COMPONENT + "dataSource=#leases");
        });
        return properties;
    }
}
