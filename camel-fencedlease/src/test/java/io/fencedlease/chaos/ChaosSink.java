package io.fencedlease.chaos;

import java.util.List;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.model.RouteDefinition;

/** Where the nodes write to. {@link Judge} and {@link FileWitness} read it afterwards. */
interface ChaosSink {

    /** What is read by the {@link Judge}. */
    String DATABASE = "database";

    /** What is read by the {@link FileWitness}. */
    String FILES = "files";

    /** The header with the name of a write, unique over all nodes and lives. */
    String ATTEMPT = "attempt";

    String resource();

    /** Puts what the steps need into the registry. */
    void prepare(CamelContext node);

    /** Adds the step that writes. */
    RouteDefinition write(RouteDefinition route, String lease, String node);

    /** Which leases are fenced: all, half (only the lease {@code first}), or none. */
    static Predicate<String> fenced(String name) {
        return switch (name) {
            case "fenced" -> lease -> true;
            case "half" -> "first"::equals;
            case "unfenced" -> lease -> false;
            default ->
                throw new IllegalArgumentException("chaos.sink: given " + name + ", allowed: fenced, half, unfenced");
        };
    }

    /** Each node writes to all of them. */
    static List<ChaosSink> all(String name) {
        return List.of(new SqlSink(fenced(name)), new FileSink(fenced(name)));
    }
}
