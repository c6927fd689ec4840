package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.fence.sql.SqlFenceOptions;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheck.State;
import org.apache.camel.health.HealthCheckHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: Camel's health says what is wrong with a node, and that waiting is not. Method: real contexts on H2. */
class LeaseHealthTest {

    private static final String INSERT = "fencedlease:L:sql:INSERT INTO t(id) VALUES (1)?dataSource=#db";

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode a = new LeasedNode(database, "a");
    private final LeasedNode b = new LeasedNode(database, "b");
    private final List<Long> ran = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void stop() {
        gate.countDown();
        a.close();
        b.close();
        database.close();
    }

    private RouteBuilder ticking(String... steps) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:t?period=50&delay=0")
                        .process(e -> ran.add(e.getMessage().getHeader(FencingHeaders.TOKEN, Long.class)))
                        .to(steps);
            }
        };
    }

    // T17: CAMEL-18514
    @Test
    void whoHoldsAndWhoWaitsAreUpWithoutAnyConfiguration() throws Exception {
        a.routes(ticking("log:a?level=DEBUG")).start();
        eventually().until(a::holds);
        b.routes(ticking("log:b?level=DEBUG")).start();
        eventually().until(() -> b.report().holder().isPresent());

        HealthCheck.Result holding = readiness(a);
        assertThat(holding.getState()).isEqualTo(State.UP);
        assertThat(holding.getDetails())
                .containsEntry("L.state", "HOLDING")
                .containsEntry("holding", 1L)
                .containsKey("L.token");
        HealthCheck.Result waiting = readiness(b);
        assertThat(waiting.getState()).isEqualTo(State.UP);
        assertThat(waiting.getDetails()).containsEntry("L.state", "WAITING").containsEntry("L.holder", "a");
        assertThat(liveness(b).getState()).isEqualTo(State.UP);
    }

    @Test
    void askingOpensNoSession() throws Exception {
        a.start();
        for (int i = 0; i < 10; i++) {
            assertThat(readiness(a).getState()).isEqualTo(State.UP);
        }
        assertThat(readiness(a).getDetails()).containsEntry("leases", 0);
        assertThat(database.jdbc()
                        .queryForObject(
                                "select count(*) from information_schema.tables where lower(table_name) like 'fencedlease%'",
                                Integer.class))
                .isZero();
    }

    @Test
    void aTokenRegressionIsDownWithBothNumbersAndTheRemedyUntilAGenerationIsOpened() throws Exception {
        database.jdbc().execute("create table t(id int)");
        new SqlFence(new LeaseName("L"), "t", database.dataSource(), SqlFenceOptions.defaults())
                .raise(new Tenure(new LeaseName("L"), new FencingToken(4711), "of an earlier life"));
        a.routes(ticking(INSERT)).start();

        eventually().until(() -> readiness(a).getState() == State.DOWN);
        assertThat(readiness(a).getMessage().orElseThrow())
                .contains("token regression", "token 1 ", "4711", "openGeneration");
        assertThat(readiness(a).getDetails()).containsEntry("L.mark", 4711L).containsEntry("L.token", 1L);
        assertThat(liveness(a).getState()).as("a restart would not help").isEqualTo(State.UP);
        assertThat(ran).isEmpty();

        long above = a.component.openGeneration("L", 0).get();

        eventually().until(() -> !ran.isEmpty());
        assertThat(ran.get(0)).isGreaterThan(above).isGreaterThan(4711);
        eventually().until(() -> readiness(a).getState() == State.UP);
        assertThat(readiness(a).getDetails()).doesNotContainKeys("L.mark", "L.problem");
    }

    @Test
    void aConfigurationFaultIsDownAndNamed() throws Exception {
        a.component.getConfiguration().setCreateTables(false);
        a.routes(ticking("log:a?level=DEBUG")).start();

        eventually().untilAsserted(() -> assertThat(readiness(a).getMessage().orElse(""))
                .contains("createTables"));
        assertThat(readiness(a).getState()).isEqualTo(State.DOWN);
        assertThat(liveness(a).getState()).isEqualTo(State.UP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "stop"})
    void aRouteThatHangsIsDownWithItsNameAndTheTimeUntilItDoesNot(String where) throws Exception {
        LeasedWorkTest.Stubborn stubborn = new LeasedWorkTest.Stubborn();
        stubborn.broken.set(false);
        stubborn.hang = where.equals("start") ? gate : new CountDownLatch(0);
        stubborn.hangInStop = where.equals("stop") ? gate : new CountDownLatch(0);
        a.component.setStartTimeout(500);
        a.context.addComponent("stubborn", stubborn);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:stubborn:x").routeId("bills").process(e -> {});
                    }
                })
                .start();
        eventually().until(a::holds);
        if (where.equals("stop")) {
            eventually().until(stubborn.started::get);
            database.destroySessions();
        }

        eventually().untilAsserted(() -> assertThat(readiness(a).getMessage().orElse(""))
                .containsPattern("route bills hangs in its " + where + " for \\d+ s"));
        assertThat(liveness(a).getState())
                .as("a restart would cost the other leases of this node")
                .isEqualTo(State.UP);
        b.routes(ticking("log:b?level=DEBUG")).start();
        eventually().until(b::holds);
        assertThat(readiness(a).getState()).isEqualTo(State.DOWN);

        gate.countDown();
        eventually().until(() -> readiness(a).getState() == State.UP);
        b.close();
        eventually().until(a::holds);
    }

    @Test
    void aSecondComponentHasChecksOfItsOwn() throws Exception {
        FencedLeaseComponent other = new FencedLeaseComponent();
        other.getConfiguration().setBackend("jdbc");
        other.getConfiguration().setDataSource(database.dataSource());
        other.getConfiguration().setCreateTables(false);
        other.setTtl(2000);
        a.context.addComponent("other", other);
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("other:M:direct:m").to("log:m");
                    }
                })
                .start();
        eventually().untilAsserted(() -> {
            HealthCheck.Result result = check("fencedlease-other");
            assertThat(result.getState()).isEqualTo(State.DOWN);
            assertThat(result.getMessage().orElseThrow()).contains("lease 'M'", "createTables");
        });
        assertThat(check("fencedlease-other-liveness").getState()).isEqualTo(State.UP);
        assertThat(check("fencedlease").getState()).isEqualTo(State.UP);

        a.context.removeComponent("other");
        assertThat(HealthCheckHelper.getHealthCheck(a.context, "fencedlease-other"))
                .isNull();
        assertThat(HealthCheckHelper.getHealthCheck(a.context, "fencedlease")).isNotNull();
    }

    private HealthCheck.Result check(String id) {
        return HealthCheckHelper.getHealthCheck(a.context, id).call();
    }

    @Test
    void aLostLeaseWhoseWorkStillRunsIsNotReadyUntilItEnds() throws Exception {
        a.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:timer:t?period=50&delay=0").process(e -> {
                            ran.add(1L);
                            gate.await();
                        });
                    }
                })
                .start();
        eventually().until(() -> !ran.isEmpty());
        assertThat(liveness(a).getState()).isEqualTo(State.UP);

        database.destroySessions();

        eventually().until(() -> readiness(a).getState() == State.DOWN);
        assertThat(readiness(a).getMessage().orElseThrow()).contains("still run");
        assertThat(liveness(a).getState())
                .as("a restart would cost the other leases of this node")
                .isEqualTo(State.UP);

        gate.countDown();
        eventually().until(() -> readiness(a).getState() == State.UP);
    }

    @Test
    void aResourceAheadIsDownAndAGenerationDrawsATokenThatPassesIt() throws Exception {
        database.jdbc().execute("create table t(id int)");
        a.routes(ticking(INSERT)).start();
        eventually().until(() -> database.jdbc().queryForObject("select count(*) from t", Integer.class) > 0);
        long token = ran.get(0);
        database.jdbc().update("update fencedlease_fence set token = token + 1000, nonce = 'stranger'");

        eventually().until(() -> readiness(a).getState() == State.DOWN);
        assertThat(readiness(a).getMessage().orElseThrow())
                .contains("ahead", "token " + token, Long.toString(token + 1000), "openGeneration");

        a.component.openGeneration("L", 0).get();
        eventually()
                .until(() ->
                        ran.get(ran.size() - 1) > token + 1000 && readiness(a).getState() == State.UP);
    }

    @Test
    void aFenceThatLostItsMemoryIsDownAndNotCalledAhead() throws Exception {
        database.jdbc().execute("create table t(id int)");
        a.routes(ticking(INSERT)).start();
        eventually().until(() -> database.jdbc().queryForObject("select count(*) from t", Integer.class) > 0);
        database.jdbc().update("update fencedlease_fence set token = 0, nonce = ''");

        eventually().until(() -> readiness(a).getState() == State.DOWN);
        assertThat(readiness(a).getMessage().orElseThrow())
                .contains("lower than when it was raised", "Remedy: repair it")
                .doesNotContain("ahead");
    }

    @Test
    void aCheckThatIsDisabledOrWhoseComponentIsGoneSaysNothing() {
        a.start();
        HealthCheck check = HealthCheckHelper.getHealthCheck(a.context, "fencedlease");
        check.setEnabled(false);
        assertThat(check.call().getState()).isEqualTo(State.UNKNOWN);

        a.context.removeComponent("fencedlease");
        assertThat(HealthCheckHelper.getHealthCheck(a.context, "fencedlease")).isNull();
        assertThat(HealthCheckHelper.getHealthCheck(a.context, "fencedlease-liveness"))
                .isNull();
    }

    private static HealthCheck.Result readiness(LeasedNode node) {
        return only(HealthCheckHelper.invokeReadiness(node.context).stream().toList());
    }

    private static HealthCheck.Result liveness(LeasedNode node) {
        return only(HealthCheckHelper.invokeLiveness(node.context).stream().toList());
    }

    private static HealthCheck.Result only(List<HealthCheck.Result> all) {
        List<HealthCheck.Result> ours = all.stream()
                .filter(result -> result.getCheck().getId().startsWith("fencedlease"))
                .toList();
        assertThat(ours).hasSize(1);
        return ours.get(0);
    }
}
