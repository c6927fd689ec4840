package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.TypeConverter;
import org.apache.camel.component.sql.SqlConstants;
import org.apache.camel.component.sql.stored.SqlStoredConstants;
import org.jspecify.annotations.Nullable;

/** Refuses exchanges that would aim a checked statement elsewhere. */
final class StatementHeaders {

    private static final String TOKEN = "FencingToken";
    private static final String REPLACES = "it replaces the statement of this step";

    private final Sink sink;
    private final boolean tokenInStatement;

    /** @param tokenInStatement whether the fence is the statement itself, so that it must stay as it was checked */
    StatementHeaders(Sink sink, boolean tokenInStatement) {
        this.sink = sink;
        this.tokenInStatement = tokenInStatement;
    }

    void check(Exchange exchange) {
        refuse(exchange, SqlConstants.SQL_DATA_SOURCE, "the fence is in another database");
        refuse(exchange, SqlConstants.SQL_QUERY, REPLACES);
        refuse(exchange, SqlStoredConstants.SQL_STORED_TEMPLATE, REPLACES);
        if (tokenInStatement && tokenInBody(exchange)) {
            throw sink.refused("body entry " + TOKEN, "present", "none: it would replace the token");
        }
    }

    /** camel-sql takes named parameters from the body before the headers, of whatever converts to a map, in both ways. */
    private static boolean tokenInBody(Exchange exchange) {
        Object body = exchange.getMessage().getBody();
        TypeConverter converter = exchange.getContext().getTypeConverter();
        return hasToken(converter.tryConvertTo(Map.class, exchange, body))
                || hasToken(converter.tryConvertTo(Map.class, body));
    }

    private static boolean hasToken(@Nullable Map<?, ?> body) {
        return body != null && body.containsKey(TOKEN);
    }

    private void refuse(Exchange exchange, String header, String why) {
        if (exchange.getMessage().getHeader(header) != null) {
            throw sink.refused("header " + header, "present", "none: " + why);
        }
    }
}
