package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.DelegatingSink;
import io.fencedlease.camel.sink.Sink;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.sql.RowTokenStatement;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.component.sql.SqlConstants;
import org.apache.camel.component.sql.SqlEndpoint;
import org.apache.camel.component.sql.SqlHelper;
import org.jspecify.annotations.Nullable;

/** An UPDATE that compares and writes the token in the row itself; zero rows are an exception. */
final class RowTokenSink extends DelegatingSink {

    private final String resource;
    private final @Nullable RowCheck check;
    private final StatementHeaders headers;

    private RowTokenSink(String resource, Producer delegate, @Nullable RowCheck check, StatementHeaders headers) {
        super(delegate, check == null ? null : check.producer());
        this.resource = resource;
        this.check = check;
        this.headers = headers;
    }

    static RowTokenSink of(Sink sink, SqlEndpoint endpoint, Optional<String> check) throws Exception {
        refuseIf(sink, endpoint.isUseMessageBodyForSql(), "useMessageBodyForSql", "false: the statement must be known");
        refuseIf(sink, endpoint.isBatch(), "batch", "false: one refused row among many would not be noticed");
        refuseIf(sink, !endpoint.isAllowNamedParameters(), "allowNamedParameters=false", "true");
        refuseIf(
                sink,
                endpoint.getPrepareStatementStrategy() != null,
                "prepareStatementStrategy",
                "none: the statement would not be the checked one");
        // as it was written: camel-sql has turned # into ? already
        String text = SqlHelper.resolveQuery(sink.context(), endpoint.getQuery(), endpoint.getPlaceholder())
                .replace('?', '#');
        RowTokenStatement.of(sink.lease(), text);
        RowCheck rowCheck = check.isEmpty() ? null : RowCheck.of(sink, endpoint, check.get());
        return new RowTokenSink(
                "statement " + text, endpoint.createProducer(), rowCheck, new StatementHeaders(sink, true));
    }

    private static void refuseIf(Sink sink, boolean bad, String option, String allowed) {
        if (bad) {
            throw sink.refused(option, "with fence.mode=row", allowed);
        }
    }

    /** The mark is in each row, so there is nothing to raise. */
    @Override
    public Optional<Fence> fence() {
        return Optional.empty();
    }

    @Override
    public boolean write(Exchange exchange, Tenure tenure) throws Exception {
        headers.check(exchange);
        Exchange before = check == null ? exchange : RowCheck.copyOf(exchange);
        // an earlier step's would pass for ours, where the statement sets none
        exchange.getMessage().removeHeader(SqlConstants.SQL_UPDATE_COUNT);
        callDelegate(exchange);
        Integer rows = exchange.getMessage().getHeader(SqlConstants.SQL_UPDATE_COUNT, Integer.class);
        int changed = rows == null ? 0 : rows;
        if (check == null) {
            RowTokenStatement.requireRow(resource, tenure, changed);
        } else {
            RowTokenStatement.requireRow(resource, tenure, changed, () -> check.tokenInRow(before));
        }
        return true;
    }
}
