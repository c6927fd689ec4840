package io.fencedlease.camel;

import io.fencedlease.camel.report.WritesNothing;
import io.fencedlease.fence.NoRowWrittenException;
import java.util.List;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.EndpointRequiredDefinition;
import org.apache.camel.model.ProcessDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Requires that the step before has changed a row. The count of an earlier step is taken off the message before that one
 * runs; where this could not be done, nothing is believed.
 */
final class RowUpdated implements Processor, WritesNothing {

    private static final String UPDATE_COUNT = "CamelSqlUpdateCount";

    @Override
    public void process(Exchange exchange) {
        TenureStamp stamp = TenureStamp.of(exchange);
        if (stamp == null) {
            throw NoTenureException.none("requireRowUpdated()");
        }
        if (!stamp.countedRows()) {
            throw new IllegalStateException(stamp.tenure()
                    + ": requireRowUpdated() has to be the step after a plain sql: without batch, which it checks");
        }
        Integer rows = exchange.getMessage().getHeader(UPDATE_COUNT, Integer.class);
        if (rows == null || rows <= 0) {
            throw new NoRowWrittenException("the statement before requireRowUpdated()", stamp.tenure());
        }
    }

    /** Whether this is one statement, and the step after it is such a check. */
    static boolean checksAfter(CamelContext context, NamedNode definition) {
        return definition instanceof ProcessorDefinition<?> step
                && step.getParent() != null
                && isCheck(context, next(step.getParent().getOutputs(), step))
                && isOneStatement(context, step);
    }

    /** The count of a batch, or of the last of several, says nothing about the others. */
    private static boolean isOneStatement(CamelContext context, ProcessorDefinition<?> step) {
        if (!(step instanceof EndpointRequiredDefinition sender) || sender.getEndpointUri() == null) {
            return false;
        }
        String uri = context.resolvePropertyPlaceholders(sender.getEndpointUri());
        return uri.startsWith("sql:") && !uri.contains("batch=true");
    }

    private static @Nullable ProcessorDefinition<?> next(List<ProcessorDefinition<?>> siblings, NamedNode step) {
        for (int i = 0; i + 1 < siblings.size(); i++) {
            if (siblings.get(i) == step) {
                return siblings.get(i + 1);
            }
        }
        return null;
    }

    private static boolean isCheck(CamelContext context, @Nullable ProcessorDefinition<?> next) {
        if (!(next instanceof ProcessDefinition process)) {
            return false;
        }
        return process.getProcessor() instanceof RowUpdated
                || process.getRef() != null
                        && context.getRegistry().lookupByName(context.resolvePropertyPlaceholders(process.getRef()))
                                instanceof RowUpdated;
    }

    /** The step whose rows are counted. */
    static Processor counting(Processor step) {
        return new DelegateAsyncProcessor(step) {
            @Override
            public boolean process(Exchange exchange, AsyncCallback callback) {
                TenureStamp stamp = TenureStamp.of(exchange);
                if (stamp != null) {
                    exchange.getMessage().removeHeader(UPDATE_COUNT);
                    stamp.countingRows();
                }
                return super.process(exchange, callback);
            }
        };
    }
}
