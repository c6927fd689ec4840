package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.sql.SqlFence;
import java.util.HashSet;
import java.util.Set;
import org.apache.camel.component.sql.SqlEndpoint;
import org.apache.camel.component.sql.SqlOutputType;

/** {@code sql:} in a guarded transaction, or with the token in the row ({@code fence.mode=row}). */
public final class SqlSinkFactory implements SinkFenceFactory {

    private static final String MODE = "mode";
    private static final String CHECK = "check";
    private static final String ROW = "row";

    @Override
    public Set<String> options() {
        Set<String> options = new HashSet<>(SqlFences.OPTIONS);
        options.add(MODE);
        options.add(CHECK);
        return options;
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        SqlEndpoint endpoint = (SqlEndpoint) sink.delegate();
        if (endpoint.getOutputType() == SqlOutputType.StreamList) {
            throw sink.refused(
                    "outputType", "StreamList", "SelectList or SelectOne: a stream reads past the guarded transaction");
        }
        if (sink.options().oneOf(MODE, "guarded", ROW).equals(ROW)) {
            return row(sink, endpoint);
        }
        if (sink.options().text(CHECK).isPresent()) {
            throw sink.refused("fence." + CHECK, "with fence.mode=guarded", "only with fence.mode=row");
        }
        SqlFence fence = SqlFences.of(sink, endpoint.getDataSource());
        return new GuardedSink(fence, endpoint.createProducer(), new StatementHeaders(sink, false));
    }

    private static SinkFence row(Sink sink, SqlEndpoint endpoint) throws Exception {
        for (String option : SqlFences.OPTIONS) {
            if (sink.options().text(option).isPresent()) {
                throw sink.refused("fence." + option, "with fence.mode=row", "only with fence.mode=guarded");
            }
        }
        return RowTokenSink.of(sink, endpoint, sink.options().text(CHECK));
    }
}
