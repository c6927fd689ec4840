package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.NodeMessage.Kind;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Reports from Camel's own events: the first exchange of each tenure, and each exchange that failed. */
final class NodeEvents extends EventNotifierSupport {

    private final Consumer<NodeMessage> report;
    private volatile long lastToken;

    NodeEvents(Consumer<NodeMessage> report) {
        this.report = report;
    }

    @Override
    public boolean isEnabled(CamelEvent event) {
        return event instanceof CamelEvent.ExchangeCreatedEvent || event instanceof CamelEvent.ExchangeFailedEvent;
    }

    @Override
    public void notify(CamelEvent event) {
        if (event instanceof CamelEvent.ExchangeCreatedEvent created) {
            working(token(created.getExchange()));
        } else if (event instanceof CamelEvent.ExchangeFailedEvent failed) {
            refused(failed.getExchange());
        }
    }

    private void working(long token) {
        if (token != 0 && token != lastToken) {
            lastToken = token;
            report.accept(new NodeMessage(Kind.WORKING, token, "first exchange"));
        }
    }

    private void refused(Exchange exchange) {
        Throwable cause = exchange.getException();
        while (cause != null && cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String reason = cause == null
                ? "rolled back"
                : cause.getClass().getSimpleName() + ": "
                        + String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        Integer batch = exchange.getMessage().getHeader("batch", Integer.class);
        report.accept(new NodeMessage(
                Kind.REFUSED, token(exchange), (batch == null ? "no batch" : "batch " + batch) + ", " + reason));
    }

    private static long token(Exchange exchange) {
        Long token = exchange.getMessage().getHeader("FencingToken", Long.class);
        return token == null ? 0 : token;
    }
}
