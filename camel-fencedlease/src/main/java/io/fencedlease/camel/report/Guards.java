package io.fencedlease.camel.report;

import io.fencedlease.camel.sink.NamedBeans;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.ExecutorServiceAwareDefinition;
import org.apache.camel.model.FilterDefinition;
import org.apache.camel.model.FinallyDefinition;
import org.apache.camel.model.IdempotentConsumerDefinition;
import org.apache.camel.model.LoopDefinition;
import org.apache.camel.model.MulticastDefinition;
import org.apache.camel.model.OnExceptionDefinition;
import org.apache.camel.model.PipelineDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RecipientListDefinition;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.model.SplitDefinition;
import org.apache.camel.model.StepDefinition;
import org.apache.camel.model.TransactedDefinition;
import org.apache.camel.model.TryDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Guards that fence a transaction on one data source. Only what comes after a guard counts: before it the transaction may be
 * committed without it, by a stop or an exception that is handled. A new transaction begins without any.
 */
final class Guards {

    private static final List<Class<?>> SAME_THREAD = List.of(
            ChoiceDefinition.class,
            TryDefinition.class,
            CatchDefinition.class,
            FinallyDefinition.class,
            FilterDefinition.class,
            IdempotentConsumerDefinition.class,
            LoopDefinition.class,
            PipelineDefinition.class,
            StepDefinition.class);

    private Guards() {}

    /** The data source, by name, of which the rest of the transaction is fenced once this step has let it pass. */
    static Optional<String> dataSource(ProcessorDefinition<?> step, RouteTexts texts, LeasedUri.Cutter cutter) {
        if (!(step instanceof SendDefinition<?> send) || send.getEndpointUri() == null) {
            return Optional.empty();
        }
        return cutter.cut(texts.uri(send.getEndpointUri()))
                .filter(uri -> uri.delegate().startsWith("guard:"))
                // a receiver compares what it has heard, and is never raised
                .filter(uri -> !"receiver".equals(uri.fence().get("mode")))
                .map(uri -> bean(uri.fence().get("dataSource")));
    }

    /** Whether a route with this goes on with the next step after a guard that could not compare. */
    static boolean continuesAfterErrors(ProcessorDefinition<?> step) {
        return step instanceof OnExceptionDefinition handler
                && (handler.getContinued() != null || handler.getContinuedPolicy() != null);
    }

    /** Whether one of its outputs runs only after those before it have done so: none is another way, or a copy's. */
    static boolean inOrder(ProcessorDefinition<?> parent, RouteTexts texts) {
        return parent instanceof TransactedDefinition || parent instanceof SplitDefinition || sameThread(parent, texts);
    }

    /** What of these is still guarded among the outputs of a step: it stays on the transaction's thread, or nothing is. */
    static Set<String> inside(ProcessorDefinition<?> step, Set<String> guarded, RouteTexts texts) {
        return staysOnItsThread(step, texts) ? guarded : Set.of();
    }

    private static boolean staysOnItsThread(ProcessorDefinition<?> step, RouteTexts texts) {
        return sameThread(step, texts)
                || step instanceof SplitDefinition split && !parallel(split, split.getParallelProcessing(), texts)
                || step instanceof MulticastDefinition multicast
                        && !parallel(multicast, multicast.getParallelProcessing(), texts)
                || step instanceof RecipientListDefinition<?> list
                        && !parallel(list, list.getParallelProcessing(), texts);
    }

    /** The copies that a loop makes are not part of the transaction: an asynchronous step takes them to another thread. */
    private static boolean sameThread(ProcessorDefinition<?> step, RouteTexts texts) {
        return SAME_THREAD.stream().anyMatch(kind -> kind.isInstance(step))
                && !(step instanceof LoopDefinition loop && texts.isTrue(loop.getCopy()));
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
