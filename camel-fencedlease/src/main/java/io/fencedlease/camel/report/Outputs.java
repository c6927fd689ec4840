package io.fencedlease.camel.report;

import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.model.CircuitBreakerDefinition;
import org.apache.camel.model.OnFallbackDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.TryDefinition;
import org.jspecify.annotations.Nullable;

/** The steps inside of a step, wherever the DSL that it was written in has put them. */
public final class Outputs {

    private Outputs() {}

    /** All that are in a list of steps, at any depth, with these. */
    public static Stream<ProcessorDefinition<?>> within(List<ProcessorDefinition<?>> steps) {
        return steps.stream().flatMap(step -> Stream.concat(Stream.of(step), within(of(step))));
    }

    /** In order. YAML keeps what is beside a block's steps in fields of their own. */
    static List<ProcessorDefinition<?>> of(ProcessorDefinition<?> step) {
        List<ProcessorDefinition<?>> steps = step.getOutputs();
        if (step instanceof TryDefinition block) {
            return joined(
                    steps,
                    Stream.concat(block.getCatchClauses().stream(), Stream.ofNullable(block.getFinallyClause())));
        }
        return step instanceof CircuitBreakerDefinition breaker
                ? joined(steps, fallback(breaker.getOnFallback()))
                : steps;
    }

    private static Stream<ProcessorDefinition<?>> fallback(@Nullable OnFallbackDefinition fallback) {
        return fallback == null ? Stream.of() : fallback.getOutputs().stream();
    }

    private static List<ProcessorDefinition<?>> joined(
            List<ProcessorDefinition<?>> steps, Stream<? extends ProcessorDefinition<?>> beside) {
        return Stream.concat(steps.stream(), beside).distinct().toList();
    }
}
