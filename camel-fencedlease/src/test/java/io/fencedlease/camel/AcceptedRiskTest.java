package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

/** Goal: a written reason lets an unfenceable sink pass, but never without a tenure. Method: a real context on H2. */
class AcceptedRiskTest {

    @Test
    void passesWithATenureAndRefusesWithout() throws Exception {
        List<Object> got = new CopyOnWriteArrayList<>();
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "a")
                        .routes(new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("fencedlease:L:direct:leased")
                                        .to("fencedlease:L:direct:sink?fence.acceptRisk=the receiver deduplicates");
                                from("direct:unleased")
                                        .to("fencedlease:L:direct:sink?fence.acceptRisk=the receiver deduplicates");
                                from("direct:sink")
                                        .process(e -> got.add(e.getMessage().getHeader("FencingToken")));
                            }
                        })
                        .start()) {
            eventually()
                    .until(() -> node.context
                                    .createProducerTemplate()
                                    .request("direct:leased", e -> {})
                                    .getException()
                            == null);
            assertThat(got)
                    .containsExactly(
                            node.report().tenure().orElseThrow().token().value());
            Exchange refused = node.context.createProducerTemplate().request("direct:unleased", e -> e.getMessage()
                    .setHeader("FencingToken", got.get(0)));
            assertThat(refused.getException()).isInstanceOf(NoTenureException.class);
            assertThat(got).hasSize(1);
        }
    }
}
