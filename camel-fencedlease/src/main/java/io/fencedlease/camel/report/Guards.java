package io.fencedlease.camel.report;

import io.fencedlease.camel.sink.NamedBeans;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.ExecutorServiceAwareDefinition;
import org.apache.camel.model.FilterDefinition;
import org.apache.camel.model.FinallyDefinition;
import org.apache.camel.model.IdempotentConsumerDefinition;
import org.apache.camel.model.LoopDefinition;
import org.apache.camel.model.MulticastDefinition;
import org.apache.camel.model.OtherwiseDefinition;
import org.apache.camel.model.PipelineDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RecipientListDefinition;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.model.SplitDefinition;
import org.apache.camel.model.StepDefinition;
import org.apache.camel.model.TransactedDefinition;
import org.apache.camel.model.TryDefinition;
import org.apache.camel.model.WhenDefinition;
import org.jspecify.annotations.Nullable;

/** Guards that fence all of a transaction on one data source. */
final class Guards {

    private static final List<Class<?>> SAME_THREAD = List.of(
            ChoiceDefinition.class,
            WhenDefinition.class,
            OtherwiseDefinition.class,
            TryDefinition.class,
            CatchDefinition.class,
            FinallyDefinition.class,
            FilterDefinition.class,
            IdempotentConsumerDefinition.class,
            LoopDefinition.class,
            PipelineDefinition.class,
            StepDefinition.class);

    private Guards() {}

    /** The data sources, by name, that a transaction has a guard for whatever happens in it. */
    static Set<String> in(TransactedDefinition transacted, RouteTexts texts) {
        return transacted.getOutputs().stream()
                .filter(output -> output instanceof SendDefinition<?> && !texts.isTrue(output.getDisabled()))
                .map(output -> EndpointText.fixed(texts.uri(((SendDefinition<?>) output).getEndpointUri())))
                .filter(target ->
                        target.scheme().equals("fencedlease") && target.path().contains(":guard:"))
                // which compares what it has heard, and is never raised
                .filter(target -> !"receiver".equals(target.options().get("fence.mode")))
                .map(target -> bean(target.options().get("fence.dataSource")))
                .collect(Collectors.toSet());
    }

    /** What of these is still guarded among the outputs of a step: it stays on the transaction's thread, or nothing is. */
    static Set<String> inside(ProcessorDefinition<?> step, Set<String> guarded, RouteTexts texts) {
        if (step instanceof TransactedDefinition transacted) {
            return in(transacted, texts);
        }
        return staysOnItsThread(step, texts) ? guarded : Set.of();
    }

    private static boolean staysOnItsThread(ProcessorDefinition<?> step, RouteTexts texts) {
        return SAME_THREAD.stream().anyMatch(kind -> kind.isInstance(step))
                || step instanceof SplitDefinition split && !parallel(split, split.getParallelProcessing(), texts)
                || step instanceof MulticastDefinition multicast
                        && !parallel(multicast, multicast.getParallelProcessing(), texts)
                || step instanceof RecipientListDefinition<?> list
                        && !parallel(list, list.getParallelProcessing(), texts);
    }

    /** A pool of its own may make it so. */
    private static boolean parallel(ExecutorServiceAwareDefinition<?> step, @Nullable String option, RouteTexts texts) {
        return texts.isTrue(option) || step.getExecutorServiceRef() != null || step.getExecutorServiceBean() != null;
    }

    /**
     * Whether a statement there is part of a guarded transaction. A plain {@code jdbc:} is not: it takes a connection of its
     * own.
     */
    static boolean cover(Set<String> guarded, EndpointText target) {
        return target.scheme().equals("sql")
                && guarded.contains(bean(target.options().get("dataSource")));
    }

    private static String bean(@Nullable String reference) {
        return reference == null ? "" : NamedBeans.name(reference);
    }
}
