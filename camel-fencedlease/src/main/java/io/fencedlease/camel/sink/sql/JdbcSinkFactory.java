package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.sql.SqlFence;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.component.jdbc.DefaultConnectionStrategy;
import org.apache.camel.component.jdbc.JdbcEndpoint;
import org.apache.camel.component.jdbc.JdbcOutputType;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** {@code jdbc:} in a guarded transaction: its statement is the message, so there is no other mode. */
public final class JdbcSinkFactory implements SinkFenceFactory {

    @Override
    public Set<String> options() {
        return SqlFences.OPTIONS_AND_MODE;
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        sink.options().oneOf("mode", "guarded");
        JdbcEndpoint shared = (JdbcEndpoint) sink.delegate();
        if (shared.getOutputType() == JdbcOutputType.StreamList) {
            throw sink.refused("outputType", "StreamList", "SelectList: a stream reads past the guarded transaction");
        }
        if (!(shared.getConnectionStrategy() instanceof DefaultConnectionStrategy)) {
            throw sink.refused("connectionStrategy", shared.getConnectionStrategy(), "the default one");
        }
        DataSource dataSource = shared.getDataSource();
        SqlFence fence = SqlFences.of(sink, dataSource);
        // an endpoint of our own, since the plain one would write outside the transaction
        JdbcEndpoint own =
                (JdbcEndpoint) sink.context().getCamelContextExtension().getPrototypeEndpoint(shared.getEndpointUri());
        own.setResetAutoCommit(false);
        own.setDataSource(new TransactionAwareDataSourceProxy(dataSource));
        return new GuardedSink(fence, own.createProducer(), new StatementHeaders(sink, false));
    }
}
