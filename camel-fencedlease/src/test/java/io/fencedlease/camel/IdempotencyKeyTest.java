package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fencedlease.camel.report.SinkClass;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: a receiver can tell a repeat, and a stale holder's request, by the key. Method: a real HTTP server notes the keys. */
class IdempotencyKeyTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        node.component.setTtl(15_000); // no loss but ours, however busy the machine
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", request -> {
            keys.add(String.valueOf(request.getRequestHeaders().getFirst("Key")));
            request.sendResponseHeaders(refusals.getAndDecrement() > 0 ? 503 : 200, -1);
            request.close();
        });
        server.start();
        String to = "fencedlease:L:http://127.0.0.1:" + server.getAddress().getPort() + "/x?fence.idempotencyKey=Key";
        node.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        errorHandler(
                                defaultErrorHandler().maximumRedeliveries(2).redeliveryDelay(1));
                        from("fencedlease:L:direct:one").routeId("one").to(to);
                        from("fencedlease:L:direct:loop").loop(2).to(to);
                        from("fencedlease:L:direct:steps").to(to).to(to);
                        from("direct:unleased").to(to);
                    }
                })
                .start();
        eventually().until(() -> send("one", null).getException() == null);
        keys.clear();
    }

    private Exchange send(String route, String id) {
        return node.context.createProducerTemplate().request("direct:" + route, e -> {
            if (id != null) {
                e.getMessage().setHeader("Key", id);
            }
        });
    }

    @AfterEach
    void stop() {
        node.close();
        server.stop(0);
        database.close();
    }

    @Test
    void theKeyIsTheSameForEachRedeliveryAndNamesLeaseAndToken() {
        refusals.set(2);
        Exchange done = send("one", "order-1");
        assertThat(done.getException()).isNull();
        long token = node.report().tenure().orElseThrow().token().value();
        assertThat(keys).hasSize(3).containsOnly("L/" + token + "/order-1");
        assertThat(done.getMessage().getHeader("Key")).isEqualTo("order-1");
    }

    @Test
    void withoutAnIdOfTheRouteEachRequestHasItsOwn() {
        send("one", null);
        send("one", null);
        send("one", "");
        send("loop", null);
        send("steps", null);
        assertThat(keys).hasSize(7).doesNotHaveDuplicates().doesNotContain("null");
    }

    @Test
    void withoutATenureNothingIsSent() {
        assertThat(send("unleased", "order-2").getException()).isInstanceOf(NoTenureException.class);
        assertThat(keys).isEmpty();
    }

    @Test
    void theReportCallsItIdempotent() {
        assertThat(node.component.sinkReport().leases().get(0).sinks())
                .allSatisfy(sink -> {
                    assertThat(sink.kind()).isEqualTo(SinkClass.IDEMPOTENT);
                    assertThat(sink.note()).contains("Key");
                })
                .hasSize(4);
    }
}
