package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.Callable;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.direct.DirectComponent;
import org.apache.camel.component.direct.DirectConsumerNotAvailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Goal: a fence that is ahead of the lease service stops the routes that write there and nothing else, and the lease is not
 * handed round. Method: the mark in one of two databases, and the token of one row, are lifted behind the holder's back.
 */
class FencedOutWhileOursTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeaseDatabase second = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private Tenure tenure;

    @BeforeEach
    void start() throws Exception {
        for (JdbcTemplate jdbc : new JdbcTemplate[] {database.jdbc(), second.jdbc()}) {
            jdbc.execute("create table t(id int primary key, n int default 0, fencing_token bigint default 0)");
            jdbc.update("insert into t(id) values (1)");
        }
        node.component.setTtl(15_000); // no loss but ours, however busy the machine
        // to be told at once that nobody consumes
        node.context.getComponent("direct", DirectComponent.class).setBlock(false);
        node.context.getRegistry().bind("second", second.dataSource());
        String update = "sql:UPDATE t SET n = n + 1 WHERE id = 1?dataSource=";
        node.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:hit").routeId("hit").to("direct:write");
                        from("direct:write").routeId("write").to("fencedlease:L:" + update + "#second");
                        from("direct:also")
                                .routeId("also")
                                .routePolicy(new FencedLeaseRoutePolicy("L"))
                                .filter(header("never"))
                                .to("fencedlease:L:sql:DELETE FROM t?dataSource=#second");
                        from("fencedlease:L:direct:other").routeId("other").to("fencedlease:L:" + update + "#db");
                        from("fencedlease:L:direct:row")
                                .routeId("row")
                                .to("fencedlease:L:sql:UPDATE t SET fencing_token=:#FencingToken WHERE id=1 AND"
                                        + " fencing_token <= :#FencingToken?dataSource=#db&fence.mode=row"
                                        + "&fence.check=SELECT fencing_token FROM t WHERE id=1");
                    }
                })
                .start();
        eventually().until(() -> send("other") == null && send("hit") == null && send("also") == null);
        tenure = node.report().tenure().orElseThrow();
    }

    private Exception send(String route) {
        Exchange done = node.context.createProducerTemplate().request("direct:" + route, e -> {});
        return done.getException();
    }

    private boolean runs(String route) {
        return send(route) == null;
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
        second.close();
    }

    @Test
    void aMarkedFenceStopsTheRoutesThatReachItUntilTheNextTenure() {
        second.jdbc().update("update fencedlease_fence set token = token + 1000");

        assertThat(send("hit")).isInstanceOf(FencedOutException.class);

        eventually().untilAsserted(() -> assertThat(node.report().problem().orElse(""))
                .contains("ahead of the lease service", "stopped until the next tenure", "hit", "also")
                .doesNotContain("other", "row"));
        eventually()
                .until(() ->
                        node.context.getRouteController().getRouteStatus("also").isStopped());
        eventually().until(() -> send("hit") instanceof DirectConsumerNotAvailableException);
        assertThat(runs("other")).isTrue();
        assertThat(runs("row")).isTrue();
        assertThat(node.report().tenure()).contains(tenure);

        // as an operator would mend it; another tenure starts them again
        second.jdbc().update("update fencedlease_fence set token = token - 1000");
        database.destroySessions();
        eventually().until(() -> runs("hit") && runs("also"));
        assertThat(node.report().tenure().orElseThrow().token()).isGreaterThan(tenure.token());
        eventually().until(() -> node.report().problem().isEmpty());
    }

    @Test
    void whatNobodyWritesToAnyMoreIsForgotten() throws Exception {
        FencedOutJudge judge = node.component.leasedContext().judge();
        database.jdbc().update("update t set fencing_token = 1000000");
        second.jdbc().update("update fencedlease_fence set token = token + 1000");
        assertThat(send("row")).isInstanceOf(FencedOutException.class);
        assertThat(send("hit")).isInstanceOf(FencedOutException.class);
        eventually().until(() -> judge.size() == 4);

        remove("row");
        assertThat(judge.size()).as("the other one is still there").isEqualTo(2);
        remove("hit");
        remove("write");
        assertThat(judge.size()).as("another route writes there").isEqualTo(2);
        remove("also");
        assertThat(judge.size()).isZero();
        assertThat(node.report().problem()).isEmpty();
    }

    private void remove(String route) throws Exception {
        eventually().until(() -> {
            node.context.getRouteController().stopRoute(route);
            return node.context.removeRoute(route);
        });
    }

    @Test
    void aFenceThatNobodyHasIsForgotten() throws Exception {
        FenceRegistry fences = node.component.leasedContext().fences();
        int before = fences.size();
        fences.shared(new LeaseName("M"), "dropped", Fence.class, NoFence::new);
        Fence kept = fences.shared(new LeaseName("M"), "kept", Fence.class, NoFence::new);
        eventually().until(() -> {
            System.gc();
            return fences.shared(new LeaseName("M"), "kept", Fence.class, NoFence::new) == kept
                    && fences.size() == before + 1;
        });
    }

    private static final class NoFence implements Fence {
        @Override
        public void raise(Tenure tenure) {}

        @Override
        public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
            return write.call();
        }

        @Override
        public String resource() {
            return "nothing";
        }
    }

    @Test
    void aRowThatIsAheadStopsNothing() {
        database.jdbc().update("update t set fencing_token = 1000000");

        assertThat(send("row")).isInstanceOf(FencedOutException.class);

        eventually().untilAsserted(() -> assertThat(node.report().problem().orElse(""))
                .contains("ahead of the lease service")
                .doesNotContain("stopped"));
        assertThat(send("row")).isInstanceOf(FencedOutException.class);
        assertThat(runs("hit")).isTrue();
        assertThat(runs("other")).isTrue();
        assertThat(node.report().tenure()).contains(tenure);
    }

    @Test
    void aGenerationOpenedUnderALaterTenureThanTheOneThatWasRefusedEndsThatToo() throws Exception {
        database.jdbc().update("update t set fencing_token = 1000000");
        assertThat(send("row")).isInstanceOf(FencedOutException.class);
        eventually().until(() -> node.report().problem().isPresent());
        database.destroySessions();
        eventually()
                .until(() -> runs("other")
                        && node.report()
                                .tenure()
                                .filter(now -> !now.equals(tenure))
                                .isPresent());
        assertThat(node.report().problem().orElse("")).contains("ahead of the lease service");

        node.component.openGeneration("L", 0).get();

        eventually().until(() -> runs("row"));
        assertThat(node.report().problem()).isEmpty();
    }
}
