package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.sql.SqlFence;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.component.sql.stored.SqlStoredEndpoint;

/** {@code sql-stored:} in a guarded transaction. A procedure that commits by itself is beyond every fence. */
public final class SqlStoredSinkFactory implements SinkFenceFactory {

    @Override
    public Set<String> options() {
        return SqlFences.OPTIONS_AND_MODE;
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        sink.options().oneOf("mode", "guarded");
        SqlStoredEndpoint endpoint = (SqlStoredEndpoint) sink.delegate();
        DataSource dataSource = endpoint.getJdbcTemplate().getDataSource();
        if (dataSource == null) {
            throw sink.refused("dataSource", "none", "a DataSource, such as #db");
        }
        SqlFence fence = SqlFences.of(sink, dataSource);
        return new GuardedSink(fence, endpoint.createProducer(), new StatementHeaders(sink, false));
    }
}
