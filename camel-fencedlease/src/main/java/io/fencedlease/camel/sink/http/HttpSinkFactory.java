package io.fencedlease.camel.sink.http;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import java.util.Set;

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
                .filter(name -> name.matches("[A-Za-z0-9-]+") && !name.startsWith("Camel"))
                .orElseThrow(
                        () -> sink.refused(
                                "fence." + KEY,
                                sink.options().text(KEY).orElse("none"),
                                "the name of a header by which the receiver drops repeats; or fence.acceptRisk=<written reason>"));
        return new KeyedSink(header, sink.delegate().createProducer());
    }
}
