package io.fencedlease.examples.failover;

import java.util.ArrayList;
import java.util.List;

/** What distinguishes this run, as system properties of each node; the rest stands in application.properties. */
final class NodeSettings {

    private static final String COMPONENT = "-Dcamel.component.fencedlease.";

    private NodeSettings() {}

    static List<String> properties(DemoOptions options, String databaseUrl) {
        List<String> properties = new ArrayList<>();
        properties.add("-Ddatabase=" + databaseUrl);
        properties.add("-Dfence=" + (options.fenced() ? "fencedlease:invoice-closer:" : ""));
        properties.add(COMPONENT + "ttl=" + options.ttl().toMillis());
        options.consul().ifPresent(url -> properties.add(COMPONENT + "url=" + url));
        return properties;
    }
}
