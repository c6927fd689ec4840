package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.component.sql.DefaultRowMapperFactory;
import org.apache.camel.component.sql.SqlEndpoint;
import org.apache.camel.component.sql.SqlHelper;
import org.apache.camel.component.sql.SqlOutputType;
import org.apache.camel.support.ExchangeHelper;

/** The {@code fence.check} statement: selects the token of the row that an update did not change. */
record RowCheck(Producer producer) {

    /** @param select with the parameters of the update, and its placeholder */
    static RowCheck of(Sink sink, SqlEndpoint update, String select) throws Exception {
        String placeholder = update.getPlaceholder();
        String query = SqlHelper.resolveQuery(update.getCamelContext(), select, placeholder)
                .replace(placeholder, "?"); // which it does for resources only
        if (!query.strip().toUpperCase(Locale.ROOT).startsWith("SELECT")) {
            throw sink.refused("fence.check", select, "a SELECT of the row's token: it is not fenced");
        }
        SqlEndpoint endpoint = new SqlEndpoint("sql:fence.check", update.getComponent());
        endpoint.setCamelContext(update.getCamelContext());
        endpoint.setQuery(query);
        endpoint.setJdbcTemplate(update.getJdbcTemplate());
        endpoint.setDataSource(update.getDataSource());
        endpoint.setRowMapperFactory(new DefaultRowMapperFactory());
        endpoint.setOutputType(SqlOutputType.SelectOne);
        return new RowCheck(endpoint.createProducer());
    }

    /** Asks with the message as it was before the update. */
    OptionalLong tokenInRow(Exchange before) {
        try {
            producer.process(before);
        } catch (Exception failed) {
            throw RuntimeCamelException.wrapRuntimeCamelException(failed);
        }
        Object found = before.getMessage().getBody();
        if (found instanceof Map<?, ?> row && !row.isEmpty()) {
            found = row.values().iterator().next();
        }
        return found instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    static Exchange copyOf(Exchange exchange) {
        return ExchangeHelper.createCopy(exchange, true);
    }
}
