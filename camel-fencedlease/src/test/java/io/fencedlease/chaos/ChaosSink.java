package io.fencedlease.chaos;

import java.util.Set;
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

    /** Which sinks there are. */
    static ChaosSink named(String name) {
        return switch (name) {
            case "sql" -> new SqlSink(true);
            case "unfenced" -> new SqlSink(false);
            default ->
                throw new IllegalArgumentException(
                        "chaos.sink: given " + name + ", allowed " + Set.of("sql", "unfenced"));
        };
    }
}
