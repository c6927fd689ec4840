package io.fencedlease.camel;

import io.fencedlease.camel.sink.FenceOptions;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.camel.util.URISupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a receiver does with messages it must not act on: {@code fence.onStale}. */
final class StaleMessages extends ServiceSupport {

    private static final String ON_STALE = "onStale";
    private static final String DEAD_LETTER = "deadLetter";

    private static final Logger LOG = LoggerFactory.getLogger(StaleMessages.class);

    private final CamelContext context;
    private final LeaseName lease;
    private final boolean drops;
    private final @Nullable String deadLetter;
    private volatile @Nullable ProducerTemplate template;

    StaleMessages(FencedLeaseEndpoint endpoint, FenceOptions options) {
        this.context = endpoint.getCamelContext();
        this.lease = endpoint.lease();
        String onStale = options.oneOf(ON_STALE, "fail", "drop", DEAD_LETTER);
        this.drops = onStale.equals("drop");
        this.deadLetter = options.text(DEAD_LETTER).orElse(null);
        if (onStale.equals(DEAD_LETTER) != (deadLetter != null)) {
            throw new SettingRefusedException(
                    endpoint.getLeaseName(),
                    "fence." + DEAD_LETTER,
                    deadLetter == null ? "none" : URISupport.sanitizeUri(deadLetter),
                    "an endpoint URI, together with fence.onStale=deadLetter");
        }
    }

    /** An earlier tenure's. */
    void refused(Exchange exchange, FencedOutException why) throws Exception {
        if (drops) {
            LOG.warn("a stale message was dropped: {}", why.getMessage());
            exchange.setRouteStop(true);
        } else {
            putAside(exchange, why);
        }
    }

    /** Nobody's: never dropped, for it may be a fault of the sender's. */
    void unfit(Exchange exchange, NoTenureException why) throws Exception {
        putAside(exchange, why);
    }

    private void putAside(Exchange exchange, RuntimeException why) throws Exception {
        ProducerTemplate sender = template;
        if (deadLetter == null || sender == null) {
            throw why;
        }
        Exchange copy = ExchangeHelper.createCopy(exchange, true);
        copy.setPattern(ExchangePattern.InOnly);
        copy.getMessage().setHeader(FencingHeaders.REFUSAL, why.getMessage());
        Exchange sent = sender.send(deadLetter, copy);
        if (sent.getException() != null) {
            throw sent.getException();
        }
        LOG.warn("a message was put aside into {}: {}", URISupport.sanitizeUri(deadLetter), why.getMessage());
        exchange.setRouteStop(true);
    }

    @Override
    protected void doStart() {
        if (deadLetter != null) {
            // now rather than with the first stale message
            DelegateEndpoints.resolve(
                    context,
                    lease,
                    "fence." + DEAD_LETTER,
                    deadLetter,
                    "the URI of a component on the class path, in RAW(...) if it has a query");
            template = context.createProducerTemplate();
        }
    }

    @Override
    protected void doStop() {
        ProducerTemplate sender = template;
        if (sender != null) {
            sender.stop();
        }
    }
}
