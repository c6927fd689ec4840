package io.fencedlease.camel.sink.http;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import java.util.Locale;
import java.util.Set;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.HeaderFilterStrategyAware;

/** {@code http:} and {@code https:} with {@code fence.idempotencyKey=HEADER}. */
public final class HttpSinkFactory implements SinkFenceFactory {

    private static final String KEY = "idempotencyKey";

    @Override
    public Set<String> options() {
        return Set.of(KEY);
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        String header = sink.options()
                .text(KEY)
                .filter(name -> name.matches("[A-Za-z0-9-]+") && reachesTheServer(name, sink.delegate()))
                .orElseThrow(
                        () -> sink.refused(
                                "fence." + KEY,
                                sink.options().text(KEY).orElse("none"),
                                "the name of a header by which the receiver drops repeats; or fence.acceptRisk=<written reason>"));
        return new KeyedSink(header, sink.delegate().createProducer());
    }

    /** HTTP's and Camel's own headers are not taken from the message; the fencing headers are restored before each step. */
    private static boolean reachesTheServer(String name, Endpoint delegate) {
        boolean kept = !(delegate instanceof HeaderFilterStrategyAware aware)
                || !aware.getHeaderFilterStrategy().applyFilterToCamelHeaders(name, "x", delegate.createExchange());
        return kept && !name.toLowerCase(Locale.ROOT).startsWith("fencing");
    }
}
