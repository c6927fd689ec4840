package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.camel.idempotent.FencedConsulIdempotentRepository;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.SettingRefusedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.consul.ConsulConstants;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kiwiproject.consul.option.ImmutablePutOptions;

/** Goal: writes to Consul's keys and a repository there are fenced. Method: real contexts, one Consul, one lease each. */
@NeedsConsul
class FencedConsulKvIT {

    private static int tests;
    private static ConsulProcess consul;

    private final String prefix = "fl" + ++tests;
    private final String data = "data" + tests + "/";
    private final DefaultCamelContext context = new DefaultCamelContext();
    private final List<String> done = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @BeforeEach
    void configure() {
        FencedLeaseComponent component = component();
        component.getConfiguration().setConsulUrl(consul.url().toString());
        component.getConfiguration().setKeyPrefix(prefix);
        // long enough for a machine that has other things to do
        component.setTtl(10_000);
        context.getShutdownStrategy().setTimeout(10);
        FencedConsulIdempotentRepository orders = new FencedConsulIdempotentRepository("L", "orders");
        orders.setKeyPrefix("keys" + tests);
        context.getRegistry().bind("orders", orders);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private FencedLeaseComponent component() {
        return context.getComponent("fencedlease", FencedLeaseComponent.class);
    }

    private void start(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:nothing").process(e -> {});
            }
        });
        context.start();
        eventually().until(() -> request("direct:nothing", Map.of()).getException() == null);
    }

    private RouteBuilder kv() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:kv").to("fencedlease:L:consul:kv?url=" + consul.url());
                from("fencedlease:L:direct:put")
                        .to("fencedlease:L:consul:kv?action=PUT&key=" + data + "fixed&url=" + consul.url());
                from("direct:unleased")
                        .to("fencedlease:L:consul:kv?action=PUT&key=" + data + "unleased&url=" + consul.url());
            }
        };
    }

    private Exchange request(String uri, Map<String, Object> headers) {
        return context.createProducerTemplate().request(uri, e -> {
            e.getMessage().setBody("body");
            e.getMessage().setHeaders(new java.util.HashMap<>(headers));
        });
    }

    private Exchange kv(String action, String key) {
        return request("direct:kv", Map.of(ConsulConstants.CONSUL_ACTION, action, ConsulConstants.CONSUL_KEY, key));
    }

    private Optional<String> value(String key) {
        return consul.admin()
                .entry(key)
                .map(entry -> new String(
                        Base64.getDecoder().decode(entry.path("Value").asText("")), StandardCharsets.UTF_8));
    }

    private long token() {
        return component().reports().stream()
                .filter(r -> r.lease().value().equals("L"))
                .findFirst()
                .flatMap(LeaseReport::tenure)
                .orElseThrow()
                .token()
                .value();
    }

    /** What a successor's publication does to this node's tenure. */
    private void anotherTenureIsPublished() {
        consul.admin().put(prefix + "/mark/L", "{\"token\":" + (token() + 1000) + ",\"nonce\":\"later\"}");
    }

    // T85: vault#23013
    @Test
    void writingActionsAreFencedAndReadingOnesPass() throws Exception {
        start(kv());
        assertThat(request("direct:put", Map.of(ConsulConstants.CONSUL_FLAGS, 7L))
                        .getMessage()
                        .getHeader(ConsulConstants.CONSUL_RESULT))
                .isEqualTo(true);
        assertThat(value(data + "fixed")).contains("body");
        assertThat(consul.admin()
                        .entry(data + "fixed")
                        .orElseThrow()
                        .path("Flags")
                        .asInt())
                .isEqualTo(7);
        assertThat(kv("PUT", data + "a").getException()).isNull();
        assertThat(kv("GET_KEYS", data).getMessage().getBody(List.class)).hasSize(2);
        assertThat(kv("DELETE_KEY", data + "a").getException()).isNull();
        assertThat(value(data + "a")).isEmpty();
        Exchange onlyNew = request(
                "direct:kv",
                Map.of(
                        ConsulConstants.CONSUL_ACTION,
                        "PUT",
                        ConsulConstants.CONSUL_KEY,
                        data + "fixed",
                        ConsulConstants.CONSUL_OPTIONS,
                        ImmutablePutOptions.builder().cas(0L).build()));
        assertThat(onlyNew.getException()).isNull();
        assertThat(onlyNew.getMessage().getHeader(ConsulConstants.CONSUL_RESULT))
                .isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE_KEY", "DELETE_KEYS"})
    void whatWritesIsRefusedWhereALaterTenureWasPublishedAndWhatReadsIsNot(String action) throws Exception {
        start(kv());
        request("direct:put", Map.of());
        long token = token();
        anotherTenureIsPublished();

        assertThat(kv("GET_KEYS", data).getException()).isNull();
        assertThat(kv(action, data + "fixed").getException()).isInstanceOfSatisfying(FencedOutException.class, e -> {
            assertThat(e.token()).isEqualTo(token);
            assertThat(e.mark()).isEqualTo(token + 1000);
        });
        assertThat(value(data + "fixed")).contains("body");
    }

    @Test
    void aReadPastTheFenceDoesNotEndTheReportThatItIsAhead() throws Exception {
        start(kv());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:read")
                        .toD("fencedlease:L:consul:kv?action=${header.action}&key=" + data + "&url=" + consul.url());
            }
        });
        eventually()
                .until(() ->
                        request("direct:read", Map.of("action", "GET_KEYS")).getException() == null);
        long mark = token() + 1000;
        anotherTenureIsPublished();
        assertThat(request("direct:put", Map.of()).getException()).isInstanceOf(FencedOutException.class);
        eventually().until(() -> problem().contains("its mark is " + mark));

        assertThat(request("direct:read", Map.of("action", "GET_KEYS")).getException())
                .isNull();
        assertThat(problem()).contains("its mark is " + mark);
    }

    private String problem() {
        return component().reports().get(0).problem().orElse("");
    }

    @Test
    void locksOtherKeysOfLeasesAndExchangesWithoutATenureAreRefused() throws Exception {
        start(kv());
        for (String action : List.of("LOCK", "UNLOCK", "", "put", "NEW")) {
            assertThat(kv(action, data + "a").getException())
                    .as("'%s'", action)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed: PUT");
        }
        for (String key : List.of(prefix + "/mark/L", prefix + "/leases/L", prefix + "/x", prefix + "/")) {
            assertThat(kv("PUT", key).getException()).as(key).hasMessageContaining("leases are kept there");
            assertThat(kv("DELETE_KEYS", key).getException()).as(key).hasMessageContaining("leases are kept there");
        }
        for (String tree : List.of(prefix, "fl", "")) {
            assertThat(kv("DELETE_KEYS", tree).getException()).as(tree).hasMessageContaining("leases are kept there");
        }
        Exchange acquiring = request(
                "direct:kv",
                Map.of(
                        ConsulConstants.CONSUL_ACTION,
                        "PUT",
                        ConsulConstants.CONSUL_KEY,
                        data + "a",
                        ConsulConstants.CONSUL_OPTIONS,
                        ImmutablePutOptions.builder().acquire("x").build()));
        assertThat(acquiring.getException()).hasMessageContaining(ConsulConstants.CONSUL_OPTIONS);
        assertThat(request("direct:unleased", Map.of(FencingHeaders.TOKEN, token()))
                        .getException())
                .isInstanceOf(NoTenureException.class);
        assertThat(value(data + "a")).isEmpty();
        assertThat(value(data + "unleased")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kv?url=http://127.0.0.1:1", "kv", "kv?url=OURS&datacenter=elsewhere", "agent?url=OURS"})
    void whatIsNotTheLeasesOwnConsulIsRefusedAtStart(String delegate) {
        String url = consul.url().toString();
        assertThatThrownBy(() -> start(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:in").to("fencedlease:L:consul:" + delegate.replace("OURS", url));
                    }
                }))
                .hasRootCauseInstanceOf(SettingRefusedException.class);
    }

    @Test
    void aLeaseThatIsNotKeptInConsulIsRefusedAtStart() {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "a")) {
            node.context.getRegistry().bind("orders", new FencedConsulIdempotentRepository("L", "orders"));
            assertThatThrownBy(() -> node.routes(new RouteBuilder() {
                                @Override
                                public void configure() {
                                    from("fencedlease:L:direct:in").to("fencedlease:L:consul:kv?action=PUT&key=a");
                                }
                            })
                            .start())
                    .hasRootCauseInstanceOf(SettingRefusedException.class)
                    .hasStackTraceContaining("kept in the same Consul");
        }
    }

    @Test
    void anIdempotentStepWorksByTenure() throws Exception {
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:step")
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("orders")
                        .process(e -> done.add(e.getMessage().getHeader("key", String.class)));
            }
        });
        request("direct:step", Map.of("key", "a"));
        assertThat(request("direct:step", Map.of("key", "a")).getProperty(Exchange.DUPLICATE_MESSAGE, Boolean.class))
                .isTrue();
        assertThat(done).containsExactly("a");

        long before = token();
        consul.admin().sessions().forEach(consul.admin()::destroySession);
        eventually().until(() -> component().reports().get(0).tenure().isPresent() && token() > before);
        eventually().until(() -> request("direct:step", Map.of("key", "b")).getException() == null);
        request("direct:step", Map.of("key", "a"));
        assertThat(done).containsExactly("a", "b");

        anotherTenureIsPublished();
        assertThat(request("direct:step", Map.of("key", "c")).getException()).isInstanceOf(FencedOutException.class);
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void aFileConsumerWorksByTenure(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("one.txt"), "1");
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:file:" + folder + "?noop=true&delay=50&initialDelay=0&idempotentRepository=#orders")
                        .process(e -> done.add(e.getMessage().getHeader(Exchange.FILE_NAME, String.class)));
            }
        });
        eventually().until(() -> done.contains("one.txt"));
        long before = token();
        eventually().until(this::everythingIsConfirmed);
        consul.admin().sessions().forEach(consul.admin()::destroySession);
        eventually().until(() -> component().reports().get(0).tenure().isPresent() && token() > before);
        Files.writeString(folder.resolve("two.txt"), "2");
        eventually().until(() -> done.contains("two.txt"));
        assertThat(done).containsExactly("one.txt", "two.txt");
    }

    private boolean everythingIsConfirmed() {
        String folder = "keys" + tests + "/L/orders/";
        List<String> keys = consul.admin().keys(folder);
        return !keys.isEmpty()
                && keys.stream().allMatch(key -> value(key).orElse("").contains("\"confirmed\":true"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"consul-repository.yaml", "consul-repository.xml"})
    void asABeanInYamlAndXml(String file) throws Exception {
        CamelContext given = context;
        PluginHelper.getRoutesLoader(given).loadRoutes(ResourceHelper.resolveResource(given, "classpath:dsl/" + file));
        context.start();
        eventually().until(() -> request("direct:bean", Map.of("key", file)).getException() == null);
        assertThat(request("direct:bean", Map.of("key", file)).getProperty(Exchange.DUPLICATE_MESSAGE, Boolean.class))
                .isTrue();
        assertThat(consul.admin().keys("from-dsl/L/orders/")).isNotEmpty();
    }
}
