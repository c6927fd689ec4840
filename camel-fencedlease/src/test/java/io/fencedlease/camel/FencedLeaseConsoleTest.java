package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseReport.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsole.MediaType;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.main.Main;
import org.apache.camel.util.json.Jsoner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Goal: the console page says what the node knows, and nothing else happens by that. Method: real contexts on H2. */
class FencedLeaseConsoleTest {

    private static final String SECRET = "top5ecret";

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final LeasedNode waiting = new LeasedNode(database, "b");

    @BeforeEach
    void noLossButOurs() {
        node.component.setTtl(15_000);
    }

    @AfterEach
    void stop() {
        waiting.close();
        node.close();
        database.close();
    }

    private DevConsole page() {
        node.context.setDevConsole(true);
        return DevConsoleRegistry.get(node.context).resolveById("fencedlease");
    }

    private String text(Map<String, Object> options) {
        return (String) page().call(MediaType.TEXT, options);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> json(Map<String, Object> options) throws Exception {
        Object answer = page().call(MediaType.JSON, options);
        return (Map<String, Object>) Jsoner.deserialize(Jsoner.serialize(answer));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> json, String name) {
        return (List<Map<String, Object>>) json.get(name);
    }

    private void routes(Writing... all) throws Exception {
        for (Writing writing : all) {
            node.routes(new RouteBuilder() {
                @Override
                public void configure() {
                    writing.on(this);
                }
            });
        }
    }

    private interface Writing {
        void on(RouteBuilder builder);
    }

    @Test
    void saysOfEachLeaseWhereItStandsAndOfItsSinksWhatFencesThem() throws Exception {
        Instant before = Instant.now().minusSeconds(1);
        routes(
                b -> b.from("fencedlease:L:direct:l")
                        .routeId("l")
                        .to("file:target/sinks/console")
                        .id("write")
                        .to("fencedlease:L:file:target/sinks/late?fence.acceptRisk=nobody reads it before noon"),
                b -> b.from("fencedlease:M:direct:m").routeId("m").to("log:m"));
        node.start();
        eventually().until(() -> node.component.reports().stream().allMatch(r -> r.state() == State.HOLDING));

        Map<String, Object> json = json(Map.of());
        assertThat(list(json, "leases")).hasSize(2).first().satisfies(lease -> {
            assertThat(lease)
                    .containsEntry("lease", "L")
                    .containsEntry("component", "fencedlease")
                    .containsEntry("state", "HOLDING")
                    .doesNotContainKeys("holder", "problem");
            assertThat(((Number) lease.get("token")).longValue())
                    .isEqualTo(node.report().tenure().orElseThrow().token().value());
            assertThat(((Number) lease.get("leftMillis")).longValue()).isBetween(1L, 15_000L);
            assertThat(Instant.parse((String) lease.get("since"))).isBetween(before, Instant.now());
        });
        assertThat(json.get("openSinks")).hasToString("1");
        Map<String, Object> sinks = list(json, "sinks").get(0);
        assertThat(sinks).containsEntry("lease", "L").doesNotContainKey("overlapMeasuredMillis");
        assertThat(sinks.get("open")).hasToString("1");
        assertThat(sinks.get("overlapBoundMillis")).hasToString("1500");
        assertThat(list(sinks, "sinks").get(0))
                .containsEntry("class", "UNFENCED")
                .containsEntry("open", true)
                .containsEntry("what", "file:target/sinks/console")
                .containsEntry("note", "put fencedlease:LEASE: in front")
                .containsEntry("where", "l/write");

        assertThat(text(Map.of()))
                .containsPattern("lease 'L' \\(fencedlease\\) HOLDING since \\S+Z, token \\d+, believed for \\d+ ms")
                .contains("lease 'M'", "UNFENCED file:target/sinks/console (l/write)", "open sinks: 1")
                .contains("nobody reads it before noon; an old holder goes on for at most 1500 ms");
    }

    @Test
    void whoWaitsNamesWhoHolds() throws Exception {
        routes(b -> b.from("fencedlease:L:direct:l").to("log:l"));
        node.start();
        eventually().until(node::holds);
        waiting.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:l").to("log:l");
                    }
                })
                .start();
        eventually().until(() -> waiting.report().holder().isPresent());
        waiting.context.setDevConsole(true);
        assertThat(DevConsoleRegistry.get(waiting.context)
                        .resolveById("fencedlease")
                        .call(MediaType.TEXT))
                .asString()
                .containsPattern("lease 'L' \\(fencedlease\\) WAITING since \\S+Z, held by a")
                .doesNotContain("token", "believed");
    }

    @Test
    void showsTheMeasuredOverlapBesideAnAcceptedRiskAfterALoss() throws Exception {
        routes(b -> b.from("fencedlease:L:direct:l")
                .to("fencedlease:L:file:target/sinks/late?fence.acceptRisk=nobody reads it before noon"));
        node.start();
        eventually().until(node::holds);
        database.destroySessions();

        eventually().untilAsserted(() -> assertThat(text(Map.of()))
                .containsPattern("nobody reads it before noon; .*measured: \\d+ ms at worst"));
        assertThat(list(json(Map.of()), "sinks").get(0)).containsKey("overlapMeasuredMillis");
    }

    @Test
    void aProblemIsShown() throws Exception {
        node.component.getConfiguration().setCreateTables(false);
        routes(b -> b.from("fencedlease:L:direct:l").to("log:l"));
        node.start();
        eventually().untilAsserted(() -> assertThat(text(Map.of()))
                .containsPattern("lease 'L' \\(fencedlease\\) WAITING since \\S+\\n  problem: .*createTables"));
        eventually().untilAsserted(() -> assertThat(list(json(Map.of()), "leases"))
                .singleElement()
                .satisfies(lease -> assertThat(lease)
                        .containsEntry("ailment", "CONFIGURATION")
                        .containsKey("problem")
                        .doesNotContainKey("token")));
    }

    @Test
    void aLeaseWithAProblemComesFirst() throws Exception {
        FencedLeaseComponent broken = new FencedLeaseComponent();
        broken.getConfiguration().setBackend("jdbc");
        broken.getConfiguration().setDataSource(new DelegatingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("away");
            }
        });
        node.context.addComponent("broken", broken);
        routes(b -> b.from("fencedlease:A:direct:a").to("log:a"), b -> b.from("broken:Z:direct:z")
                .to("log:z"));
        node.start();
        eventually().untilAsserted(() -> assertThat(text(Map.of()))
                .containsPattern("^lease 'Z' \\(broken\\) WAITING .*\\n  problem: .*\\nlease 'A' \\(fencedlease\\)"));
        assertThat(list(json(Map.of("limit", "1")), "leases")).singleElement().satisfies(lease -> assertThat(lease)
                .containsEntry("lease", "Z"));
    }

    @Test
    void leasesAreChosenByNameAndNotMoreThanAsked() throws Exception {
        routes(
                b -> b.from("fencedlease:bills:direct:b").to("file:target/sinks/b"),
                b -> b.from("fencedlease:mails:direct:m").to("file:target/sinks/m"));
        node.start();
        eventually().until(() -> node.component.reports().size() == 2);

        assertThat(text(Map.of("filter", "ma*"))).contains("mails").doesNotContain("bills");
        Map<String, Object> one = json(Map.of("limit", "1"));
        assertThat(list(one, "leases")).hasSize(1);
        assertThat(list(json(Map.of("filter", "bills")), "sinks")).hasSize(1);
    }

    @Test
    void askingCreatesNothing() throws Exception {
        node.context.removeComponent("fencedlease");
        node.start();
        assertThat(text(Map.of())).contains("no leases", "open sinks: 0");
        assertThat(json(Map.of())).containsEntry("leases", List.of());
        assertThat(node.context.getComponentNames()).doesNotContain("fencedlease");
        node.context.addComponent("fencedlease", node.component);
        assertThat(text(Map.of())).contains("no leases");
        assertThat(database.jdbc()
                        .queryForObject(
                                "select count(*) from information_schema.tables where lower(table_name) like 'fencedlease%'",
                                Integer.class))
                .isZero();
    }

    @Test
    void noSecretIsShown() throws Exception {
        node.component.getConfiguration().setConsulToken(SECRET);
        routes(b -> b.from("fencedlease:L:direct:l")
                .to("http://joe:" + SECRET + "@127.0.0.1:1/x?authPassword=" + SECRET)
                .toD("ftp://joe:" + SECRET + "@127.0.0.1:1/${header.x}")
                .to("fencedlease:L:log:x?fence.acceptRisk=it is a log"));
        node.start();
        eventually().until(node::holds);
        String nonce = node.report().tenure().orElseThrow().nonce();

        for (String shown : List.of(text(Map.of()), Jsoner.serialize(page().call(MediaType.JSON, Map.of())))) {
            assertThat(shown).contains("127.0.0.1:1", "ftp").doesNotContain(SECRET, nonce);
        }
    }

    @Test
    void aSecondComponentIsOnTheSamePage() throws Exception {
        FencedLeaseComponent second = new FencedLeaseComponent();
        second.setConfiguration(node.component.getConfiguration());
        second.setTtl(15_000);
        node.context.addComponent("other", second);
        routes(
                b -> b.from("fencedlease:L:direct:l").routeId("l").to("log:l"),
                b -> b.from("other:M:direct:m").routeId("m").to("file:target/sinks/second"));
        node.start();
        eventually().until(() -> node.holds() && second.reports().stream().anyMatch(r -> r.state() == State.HOLDING));

        assertThat(text(Map.of())).contains("lease 'L' (fencedlease) HOLDING", "lease 'M' (other) HOLDING");
        Map<String, Object> json = json(Map.of());
        assertThat(list(json, "sinks")).extracting(sinks -> sinks.get("lease")).containsExactlyInAnyOrder("L", "M");
        assertThat(json.get("openSinks")).hasToString("1");
    }

    @Test
    void camelMainHasThePageWhenItsConsoleIsOn() throws Exception {
        Main main = new Main();
        main.addInitialProperty("camel.main.dev-console-enabled", "true");
        main.start();
        try {
            DevConsoleRegistry registry = DevConsoleRegistry.get(main.getCamelContext());
            assertThat(registry.getConsoleIDs()).contains("fencedlease");
            assertThat(registry.getConsole("fencedlease").orElseThrow().call(MediaType.TEXT))
                    .asString()
                    .contains("no leases");
        } finally {
            main.stop();
        }
    }
}
