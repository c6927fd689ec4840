package io.fencedlease.chaos;

import org.apache.camel.CamelContext;
import org.apache.camel.model.RouteDefinition;

/** Where the nodes write to. The judge reads it afterwards: see {@link Judge}. */
interface ChaosSink {

    /** The header with the name of a write, unique over all nodes and lives. */
    String ATTEMPT = "attempt";

    /** Puts what the steps need into the registry. */
    void prepare(CamelContext node);

    /** Adds the step that writes. */
    RouteDefinition write(RouteDefinition route, String lease, String node);

    /** Which sinks there are. Half: only the lease {@code first} is fenced. */
    static ChaosSink named(String name) {
        return switch (name) {
            case "sql" -> new SqlSink(lease -> true);
            case "half" -> new SqlSink("first"::equals);
            case "unfenced" -> new SqlSink(lease -> false);
            default ->
                throw new IllegalArgumentException("chaos.sink: given " + name + ", allowed: sql, half, unfenced");
        };
    }
}
