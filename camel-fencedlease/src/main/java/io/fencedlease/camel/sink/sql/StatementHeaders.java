package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.sql.SqlConstants;

/** Refuses exchanges that would aim a checked statement elsewhere. */
final class StatementHeaders {

    private static final String TOKEN = "FencingToken";

    private final Sink sink;
    private final boolean tokenInStatement;

    /** @param tokenInStatement whether the fence is the statement itself, so that it must stay as it was checked */
    StatementHeaders(Sink sink, boolean tokenInStatement) {
        this.sink = sink;
        this.tokenInStatement = tokenInStatement;
    }

    void check(Exchange exchange) {
        refuse(exchange, SqlConstants.SQL_DATA_SOURCE, "the fence is in another database");
        if (tokenInStatement) {
            refuse(exchange, SqlConstants.SQL_QUERY, "it replaces the checked statement");
            // named parameters are taken from the body before the headers
            if (exchange.getMessage().getBody() instanceof Map<?, ?> body && body.containsKey(TOKEN)) {
                throw sink.refused("body entry " + TOKEN, "present", "none: it would replace the token");
            }
        }
    }

    private void refuse(Exchange exchange, String header, String why) {
        if (exchange.getMessage().getHeader(header) != null) {
            throw sink.refused("header " + header, "present", "none: " + why);
        }
    }
}
