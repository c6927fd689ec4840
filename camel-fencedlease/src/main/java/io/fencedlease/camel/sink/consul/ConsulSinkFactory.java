package io.fencedlease.camel.sink.consul;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.consul.ConsulFence;
import io.fencedlease.fence.consul.KvWrites;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.Set;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Producer;
import org.apache.camel.component.consul.ConsulConfiguration;
import org.apache.camel.component.consul.ConsulConstants;
import org.apache.camel.component.consul.ConsulEndpoint;
import org.apache.camel.util.URISupport;

/** {@code consul:kv} in the Consul that has the lease: each write is one transaction with the checks of the tenure. */
public final class ConsulSinkFactory implements SinkFenceFactory {

    private static final String KV = "kv";

    @Override
    public Set<String> options() {
        return Set.of();
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        ConsulEndpoint endpoint = (ConsulEndpoint) sink.delegate();
        if (!KV.equals(endpoint.getApiEndpoint())) {
            throw sink.refused(
                    "delegateUri",
                    "consul:" + endpoint.getApiEndpoint(),
                    "consul:kv; or fence.acceptRisk=<written reason>");
        }
        LeaseBackend backend = sink.fences().backend();
        Duration limit = Duration.ofMillis(sink.defaults().raiseTimeoutMillis());
        ConsulFence fence =
                sink.fences().shared("consul", ConsulFence.class, () -> new ConsulFence(sink.lease(), backend, limit));
        KvWrites writes = new KvWrites(fence);
        ConsulConfiguration options = endpoint.getConfiguration();
        // what camel-consul takes where nothing is said
        String url = options.getUrl() == null ? ConsulConstants.CONSUL_DEFAULT_URL : options.getUrl();
        String datacenter = options.getDatacenter() == null ? "" : options.getDatacenter();
        if (!writes.areAt(url, datacenter)) {
            throw sink.refused(
                    "url",
                    URISupport.sanitizeUri(url) + (datacenter.isEmpty() ? "" : ", datacenter " + datacenter),
                    writes.place() + " in the same spelling: the write and the check of the lease are one transaction");
        }
        Producer delegate = endpoint.createProducer();
        CamelContextAware.trySetCamelContext(delegate, sink.context());
        return new ConsulSink(fence, writes, delegate, options);
    }
}
