package io.fencedlease.camel;

import io.fencedlease.camel.sink.FenceOptions;
import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.camel.Producer;

/** Makes the producer of an endpoint: behind the fence that fits its delegate's scheme, or with an accepted risk. */
final class FencedProducers {

    private static final String SINKS = "META-INF/services/org/apache/camel/fencedlease/sink/";

    private final FencedLeaseEndpoint endpoint;
    private final FencedLeaseUri uri;

    FencedProducers(FencedLeaseEndpoint endpoint, FencedLeaseUri uri) {
        this.endpoint = endpoint;
        this.uri = uri;
    }

    /** @throws SettingRefusedException if the delegate has no fence, or cannot get behind it as it is configured */
    Producer create(Map<String, Object> fence) throws Exception {
        Optional<SinkFenceFactory> factory = factory();
        Set<String> known = factory.map(SinkFenceFactory::options).orElse(Set.of());
        FenceOptions options = FenceOptions.parse(uri.lease(), fence, known);
        if (options.acceptedRisk().isPresent()) {
            return new AcceptedRiskProducer(endpoint, options.acceptedRisk().get());
        }
        SinkFenceFactory maker = factory.orElseThrow(this::unfenceable);
        if (options.text("mode").filter("receiver"::equals).isPresent()) {
            return new ReceiverProducer(endpoint, maker.createReceiver(sink(options)), options);
        }
        return new FencedProducer(endpoint, maker.create(sink(options)));
    }

    private Optional<SinkFenceFactory> factory() {
        return endpoint.getCamelContext()
                .getCamelContextExtension()
                .getFactoryFinder(SINKS)
                .newInstance(uri.delegateScheme(), SinkFenceFactory.class);
    }

    private Sink sink(FenceOptions options) {
        FencedLeaseConfiguration defaults = endpoint.component().getConfiguration();
        return new Sink(
                endpoint.getCamelContext(),
                uri.lease(),
                endpoint.getEndpoint(),
                uri.delegatePath(),
                options,
                new Sink.Defaults(defaults.getRaiseTimeout(), defaults.isEvict(), defaults.isCreateTables()),
                shared());
    }

    /** Asked only by what is raised: a receiver needs no lease service. */
    private Sink.Fences shared() {
        return new Sink.Fences() {
            @Override
            public <F extends Fence> F shared(Object resource, Class<F> type, Supplier<F> maker) throws Exception {
                return endpoint.leasedContext().fences().shared(uri.lease(), resource, type, maker);
            }

            @Override
            public LeaseBackend backend() throws Exception {
                return endpoint.leasedContext().backend();
            }
        };
    }

    private SettingRefusedException unfenceable() {
        return new SettingRefusedException(
                uri.lease().value(),
                "delegateUri",
                uri.delegateScheme() + ":...",
                "a scheme that has a fence, such as sql, jdbc or file; or fence.acceptRisk=<written reason>");
    }
}
