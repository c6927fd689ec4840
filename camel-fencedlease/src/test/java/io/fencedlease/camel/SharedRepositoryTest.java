package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.camel.idempotent.FencedJdbcIdempotentRepository;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: a repository is there for all of its routes until the context ends. Method: two routes on H2, one is removed. */
class SharedRepositoryTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final JdbcTemplate jdbc = database.jdbc();
    private final FencedJdbcIdempotentRepository orders =
            new FencedJdbcIdempotentRepository("L", "orders", database.dataSource());

    @BeforeEach
    void start() throws Exception {
        node.component.setTtl(10_000); // long enough for a machine that has other things to do
        orders.setKeepConfirmed("2s");
        node.context.getRegistry().bind("orders", orders);
        node.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:nothing").process(e -> {});
                for (String route : new String[] {"one", "two"}) {
                    from("fencedlease:L:direct:" + route)
                            .routeId(route)
                            .idempotentConsumer(header("key"))
                            .idempotentRepository("orders")
                            .to("log:" + route);
                }
            }
        });
        node.start();
        eventually().until(() -> request("nothing").getException() == null);
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private Exchange request(String route) {
        return node.context.createProducerTemplate().request("direct:" + route, e -> e.getMessage()
                .setHeader("key", route));
    }

    private void remove(String route) throws Exception {
        node.context.getRouteController().stopRoute(route);
        node.context.removeRoute(route);
    }

    private long raised() {
        return jdbc.queryForObject("SELECT token FROM fencedlease_fence WHERE lease = 'L'", Long.class);
    }

    private void aKeyIsCleanedUp() {
        assertThat(request("two").getException()).isNull();
        eventually().until(() -> jdbc.queryForList("SELECT key_text FROM fencedlease_keys")
                .isEmpty());
    }

    @Test
    void afterOneOfItsRoutesWasRemovedItsFenceIsStillRaisedBeforeTheOthersStart() throws Exception {
        remove("one");
        long before = raised();

        database.destroySessions();
        eventually().until(() -> node.report().tenure().stream()
                .anyMatch(tenure -> tenure.token().value() > before));
        eventually().until(() -> request("nothing").getException() == null);
        assertThat(raised()).isGreaterThan(before);
    }

    @Test
    void afterOneOfItsRoutesWasRemovedItsOldKeysAreStillForgotten() throws Exception {
        remove("one");
        aKeyIsCleanedUp();
    }

    @Test
    void afterARestartOfTheContextItsOldKeysAreForgottenToo() {
        node.context.stop();
        node.context.getRegistry().bind("db", database.dataSource());
        node.context.getRegistry().bind("orders", orders);
        node.start();
        eventually().until(() -> request("nothing").getException() == null);
        aKeyIsCleanedUp();
    }
}
