package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.camel.idempotent.FencedJdbcIdempotentRepository;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.SettingRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.ClassPathXmlApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Goal: idempotent steps and consumers of leased routes work by tenure. Method: real contexts on H2, one lease. */
class FencedJdbcIdempotentRepositoryTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final JdbcTemplate jdbc = database.jdbc();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final Breakable breakable = new Breakable(database);

    @TempDir
    private Path folder;

    @BeforeEach
    void repository() {
        // long enough for a machine that has other things to do
        node.component.setTtl(10_000);
        node.context.getRegistry().bind("orders", new FencedJdbcIdempotentRepository("L", "orders", breakable));
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private void start(RouteBuilder routes) throws Exception {
        node.routes(routes);
        node.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:nothing").process(e -> {});
            }
        });
        node.start();
        eventually().until(() -> request("direct:nothing", "x").getException() == null);
    }

    private final class Steps extends RouteBuilder {
        @Override
        public void configure() {
            from("fencedlease:L:direct:step")
                    .idempotentConsumer(header("key"))
                    .idempotentRepository("orders")
                    .process(this::work);
            from("fencedlease:L:direct:lazy")
                    .idempotentConsumer(header("key"))
                    .idempotentRepository("orders")
                    .eager(false)
                    .process(this::work);
            from("direct:unleased")
                    .idempotentConsumer(header("key"))
                    .idempotentRepository("orders")
                    .process(this::work);
            from("fencedlease:other:direct:other")
                    .idempotentConsumer(header("key"))
                    .idempotentRepository("orders")
                    .process(this::work);
            from("direct:policy")
                    .routePolicy(new FencedLeaseRoutePolicy("L"))
                    .idempotentConsumer(header("key"))
                    .idempotentRepository("orders")
                    .process(this::work);
        }

        private void work(Exchange exchange) {
            if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IllegalStateException("the work failed");
            }
            done.add(exchange.getMessage().getHeader("key", String.class));
        }
    }

    private Exchange request(String uri, String key) {
        return node.context.createProducerTemplate().request(uri, e -> e.getMessage()
                .setHeader("key", key));
    }

    private List<Map<String, Object>> entries() {
        return jdbc.queryForList("SELECT key_text, token, confirmed FROM fencedlease_keys ORDER BY key_text");
    }

    private long token() {
        return node.component.reports().stream()
                .filter(r -> r.lease().value().equals("L"))
                .findFirst()
                .flatMap(LeaseReport::tenure)
                .orElseThrow()
                .token()
                .value();
    }

    /** What a holder left that died before it confirmed. */
    private void leftHalfWay(String key) {
        request("direct:step", key);
        jdbc.update("UPDATE fencedlease_keys SET token = 0, confirmed = FALSE WHERE key_text = ?", key);
        done.remove(key);
    }

    private void anotherTenureRaises() {
        jdbc.update("UPDATE fencedlease_fence SET token = token + 1000, nonce = 'later' WHERE lease = 'L'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct:step", "direct:lazy", "direct:policy"})
    void aDuplicateIsSkippedAndAFailureIsNotADuplicate(String route) throws Exception {
        start(new Steps());
        eventually().until(() -> request(route, "warm").getException() == null);
        failures.set(1);
        assertThat(request(route, "a").getException()).hasMessage("the work failed");
        assertThat(request(route, "a").getException()).isNull();
        Exchange duplicate = request(route, "a");

        assertThat(duplicate.getProperty(Exchange.DUPLICATE_MESSAGE, Boolean.class))
                .isTrue();
        assertThat(done).containsExactly("warm", "a");
        assertThat(entries())
                .filteredOn(row -> row.get("KEY_TEXT").equals("a"))
                .hasSize(1)
                .allSatisfy(row -> {
                    assertThat(row).containsEntry("TOKEN", token());
                    assertThat(row).containsEntry("CONFIRMED", true);
                });
    }

    @Test
    void halfDoneWorkOfAnEarlierTenureIsDoneAgainAndConfirmedWorkIsNot() throws Exception {
        start(new Steps());
        request("direct:step", "confirmed");
        leftHalfWay("half-way");
        jdbc.update("UPDATE fencedlease_keys SET token = 0 WHERE key_text = 'confirmed'");

        assertThat(request("direct:step", "half-way").getException()).isNull();
        request("direct:step", "half-way");
        request("direct:step", "confirmed");
        assertThat(done).containsExactly("confirmed", "half-way");
    }

    /** Else whoever dies between the commit and the end of the exchange leaves work that is done again. */
    @Test
    void inOneTransactionAndConfirmedEagerlyEffectAndConfirmationCommitTogether() throws Exception {
        jdbc.execute("create table booked(id varchar(20))");
        SpringTransactionPolicy required =
                new SpringTransactionPolicy(new DataSourceTransactionManager(database.dataSource()));
        required.setPropagationBehaviorName("PROPAGATION_REQUIRED");
        node.context.getRegistry().bind("required", required);
        node.context.getRegistry().bind("joined", new FencedJdbcIdempotentRepository("L", "j", database.dataSource()));
        AtomicReference<List<Map<String, Object>>> committed = new AtomicReference<>();
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:once")
                        .policy("required")
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("joined")
                        .completionEager(true)
                        .to("fencedlease:L:sql:INSERT INTO booked(id) VALUES (:#key)?dataSource=#db")
                        .end()
                        .process(e -> {
                            if (e.getMessage().getHeader("fail") != null) {
                                throw new IllegalStateException("before the commit");
                            }
                        })
                        .end()
                        .process(e -> committed.set(entries()));
            }
        });

        Exchange failed = node.context.createProducerTemplate().request("direct:once", e -> {
            e.getMessage().setHeader("key", "k");
            e.getMessage().setHeader("fail", true);
        });
        assertThat(failed.getException()).isNotNull();
        assertThat(entries()).isEmpty();
        assertThat(jdbc.queryForList("select id from booked")).isEmpty();

        assertThat(request("direct:once", "k").getException()).isNull();
        assertThat(committed.get()).hasSize(1);
        assertThat(committed.get().get(0)).containsEntry("CONFIRMED", true);
        request("direct:once", "k");
        assertThat(jdbc.queryForList("select id from booked", String.class)).containsExactly("k");
    }

    // T14: CAMEL-24484
    @Test
    void aStaleHolderIsFencedOutBeforeItsWorkAndConfirmsNothingAfterIt() throws Exception {
        start(new Steps());
        node.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:lostMeanwhile")
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("orders")
                        .process(e -> anotherTenureRaises());
            }
        });
        eventually().until(() -> request("direct:lostMeanwhile", "b").getException() == null);
        assertThat(entries()).singleElement().satisfies(row -> assertThat(row).containsEntry("CONFIRMED", false));

        assertThat(request("direct:step", "c").getException()).isInstanceOf(FencedOutException.class);
        assertThat(done).isEmpty();
        assertThat(entries()).hasSize(1);
        eventually().until(() -> node.component.reports().stream()
                .anyMatch(r -> r.problem().filter(p -> p.contains("ahead")).isPresent()));
    }

    @Test
    void withoutATenureOrWithAnotherLeasesNothingIsAsked() throws Exception {
        start(new Steps());
        assertThat(request("direct:unleased", "a").getException())
                .isInstanceOf(NoTenureException.class)
                .hasMessageContainingAll("'L'", "orders");
        eventually().untilAsserted(() -> assertThat(request("direct:other", "a").getException())
                .isInstanceOf(NoTenureException.class)
                .hasMessageContainingAll("'L'", "'other'"));
        FencedJdbcIdempotentRepository orders =
                (FencedJdbcIdempotentRepository) node.context.getRegistry().lookupByName("orders");
        assertThatThrownBy(() -> orders.add("a")).isInstanceOf(NoTenureException.class);
        assertThatThrownBy(() -> orders.contains("a")).isInstanceOf(NoTenureException.class);
        assertThatThrownBy(() -> orders.confirm("a")).isInstanceOf(NoTenureException.class);
        assertThatThrownBy(() -> orders.remove("a")).isInstanceOf(NoTenureException.class);
        assertThatThrownBy(orders::clear).hasMessageContaining("cleanup");
        assertThat(done).isEmpty();
        assertThat(entries()).isEmpty();
    }

    /** An add whose answer was lost, or a removal that failed, must not make the redelivered message a duplicate. */
    @Test
    void aMessageThatFailedWithAnUnknownOutcomeIsNotADuplicateWhenItComesAgain() throws Exception {
        start(new Steps());
        request("direct:step", "added");
        jdbc.update("DELETE FROM fencedlease_keys");
        done.clear();
        breakable.losesAnswersOfCommits = true;
        assertThat(request("direct:step", "added").getException()).isNotNull();
        breakable.losesAnswersOfCommits = false;
        assertThat(entries()).hasSize(1);
        assertThat(request("direct:step", "added").getException()).isNull();
        request("direct:step", "added");
        assertThat(done).containsExactly("added");

        node.context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:breaks")
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("orders")
                        .process(e -> {
                            breakable.away = true;
                            throw new IllegalStateException("and the database went away");
                        });
            }
        });
        eventually()
                .until(() -> request("direct:breaks", "kept").getException() instanceof IllegalStateException e
                        && e.getMessage().startsWith("and"));
        breakable.away = false;
        assertThat(entries()).hasSize(2);
        assertThat(request("direct:step", "kept").getException()).isNull();
        assertThat(done).containsExactly("added", "kept");
    }

    @Test
    void aMessageThatFailedIsStillADuplicateWhileAnotherExchangeWorksOnItsKey() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:slow")
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("orders")
                        .process(e -> {
                            done.add("k");
                            working.countDown();
                            release.await(20, TimeUnit.SECONDS);
                        });
            }
        });
        CompletableFuture<Exchange> first = CompletableFuture.supplyAsync(() -> request("direct:slow", "k"));
        working.await();
        breakable.away = true;
        assertThat(request("direct:slow", "k").getException()).isNotNull();
        breakable.away = false;

        CompletableFuture<Exchange> again = CompletableFuture.supplyAsync(() -> request("direct:slow", "k"));
        eventually().until(() -> again.isDone() || done.size() > 1);
        release.countDown();
        assertThat(first.get().getException()).isNull();
        assertThat(done).containsExactly("k");
    }

    @Test
    void theFenceIsRaisedWithTheTenureAlsoForARouteThatAPolicyStarts() throws Exception {
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:policy")
                        .routePolicy(new FencedLeaseRoutePolicy("L"))
                        .autoStartup(false)
                        .idempotentConsumer(header("key"))
                        .idempotentRepository("orders")
                        .process(e -> {});
            }
        });
        assertThat(jdbc.queryForObject("SELECT token FROM fencedlease_fence WHERE lease = 'L'", Long.class))
                .isEqualTo(token());
    }

    @Test
    void fileConsumersWorkUnderTheTenureTheyWereStartedFor() throws Exception {
        Files.writeString(folder.resolve("one.txt"), "1");
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:file:" + folder + "?noop=true&delay=50&initialDelay=0&idempotentRepository=#orders"
                                + "&idempotentKey=${file:name}")
                        .process(e -> {
                            if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                                throw new IllegalStateException("the work failed");
                            }
                            done.add(e.getMessage().getHeader(Exchange.FILE_NAME, String.class));
                        });
            }
        });
        eventually().until(() -> done.contains("one.txt"));
        failures.set(1);
        Files.writeString(folder.resolve("two.txt"), "2");
        eventually().until(() -> done.contains("two.txt"));
        long first = token();
        eventually().until(() -> entries().stream()
                .allMatch(row -> row.get("CONFIRMED").equals(true)));
        jdbc.update("UPDATE fencedlease_keys SET confirmed = FALSE WHERE key_text = 'two.txt'");

        database.destroySessions();
        eventually().until(() -> done.size() == 3);
        assertThat(token()).isGreaterThan(first);
        assertThat(done).containsExactly("one.txt", "two.txt", "two.txt");
        eventually().untilAsserted(() -> assertThat(entries())
                .extracting(row -> row.get("CONFIRMED"))
                .containsExactly(true, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&inProgressRepository=#shared"})
    void theEndpointMadeForATenureEndsWithItUnlessThatStopsWhatOthersUse(String option) throws Exception {
        AtomicReference<RunningTenure> tenure = new AtomicReference<>();
        node.context.getRegistry().bind("shared", new MemoryIdempotentRepository());
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:direct:in").process(e -> tenure.set(new RunningTenure(TenureProbe.lease(e))));
            }
        });
        request("direct:in", "x");
        Endpoint file = node.context.getEndpoint("file:" + folder + "?noop=true&idempotentRepository=#orders" + option);
        Endpoint own = ConsumerRepository.endpointFor(file, tenure.get());
        assertThat(own).isNotSameAs(file);
        assertThat(ServiceHelper.isStarted(own)).isTrue();

        ConsumerRepository.done(file, own);
        ConsumerRepository.done(file, file);

        assertThat(ServiceHelper.isStarted(own)).isEqualTo(!option.isEmpty());
        assertThat(ServiceHelper.isStarted(file)).isTrue();
    }

    @Test
    void fileConsumersThatAddAfterTheirWorkConfirmByThat() throws Exception {
        Files.writeString(folder.resolve("one.txt"), "1");
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:file:" + folder + "?noop=true&delay=50&initialDelay=0&idempotentRepository=#orders"
                                + "&idempotentEager=false&idempotentKey=${file:name}")
                        .process(e -> done.add("one.txt"));
            }
        });
        eventually().until(() -> done.contains("one.txt"));
        eventually().untilAsserted(() -> assertThat(entries()).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("CONFIRMED", true)));
    }

    @Test
    void readLocksByTheRepositoryWork() throws Exception {
        Files.writeString(folder.resolve("one.txt"), "1");
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:file:" + folder + "?delay=50&initialDelay=0&readLock=idempotent"
                                + "&idempotentRepository=#orders&readLockRemoveOnCommit=false")
                        .process(e -> done.add("one.txt"));
            }
        });
        eventually().until(() -> !Files.exists(folder.resolve("one.txt")));
        assertThat(done).containsExactly("one.txt");
        eventually().untilAsserted(() -> assertThat(entries()).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("CONFIRMED", true)));
    }

    @Test
    void aFileConsumerUnderAPolicyIsRefused() {
        assertThatThrownBy(() -> start(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("file:" + folder + "?idempotentRepository=#orders")
                                .routePolicy(new FencedLeaseRoutePolicy("L"))
                                .to("log:x");
                    }
                }))
                .hasStackTraceContaining("idempotentRepository")
                .hasRootCauseInstanceOf(SettingRefusedException.class);
    }

    @Test
    void aBadNameIsRefusedAsTheOptionThatItWasGivenFor() {
        FencedJdbcIdempotentRepository repository = new FencedJdbcIdempotentRepository();
        assertThatThrownBy(() -> repository.setLeaseName(null))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("leaseName", "given: null", "A-Z");
        repository.setLeaseName("L");
        assertThatThrownBy(() -> repository.setRepositoryName("a b"))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("'L'", "repositoryName", "given: a b", "A-Z");
    }

    @Test
    void oldConfirmedKeysAreCleanedUp() throws Exception {
        start(new Steps());
        request("direct:step", "old");
        jdbc.update("UPDATE fencedlease_keys SET confirmed_at = confirmed_at - 86400000");
        request("direct:step", "young");
        FencedJdbcIdempotentRepository orders =
                (FencedJdbcIdempotentRepository) node.context.getRegistry().lookupByName("orders");

        assertThat(orders.cleanup(Duration.ofHours(1))).isEqualTo(1);
        assertThat(entries()).singleElement().satisfies(row -> assertThat(row).containsEntry("KEY_TEXT", "young"));
    }

    @Test
    void withKeepConfirmedTheyGoByThemselves() throws Exception {
        FencedJdbcIdempotentRepository orders =
                (FencedJdbcIdempotentRepository) node.context.getRegistry().lookupByName("orders");
        orders.setKeepConfirmed("2s");
        start(new Steps());
        request("direct:step", "a");
        jdbc.update("INSERT INTO fencedlease_keys(lease, repository, key_hash, key_text, token, confirmed)"
                + " VALUES ('L', 'orders', 'x', 'under way', 1, FALSE)");

        eventually().until(() -> entries().size() == 1);
        assertThat(entries()).singleElement().satisfies(row -> assertThat(row).containsEntry("CONFIRMED", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1s", "soon"})
    void keepConfirmedIsADurationAboveZero(String given) {
        assertThatThrownBy(() -> new FencedJdbcIdempotentRepository("L", "orders", breakable).setKeepConfirmed(given))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("keepConfirmed");
        FencedJdbcIdempotentRepository good = new FencedJdbcIdempotentRepository("L", "orders", breakable);
        good.setKeepConfirmed("30d");
        assertThat(good.getKeepConfirmed()).isEqualTo("PT720H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"repository.yaml", "repository.xml"})
    void asABeanInYamlAndXml(String file) throws Exception {
        PluginHelper.getRoutesLoader(node.context)
                .loadRoutes(ResourceHelper.resolveResource(node.context, "classpath:dsl/" + file));
        node.start();
        eventually().until(() -> request("direct:bean", "a").getException() == null);
        assertThat(request("direct:bean", "a").getProperty(Exchange.DUPLICATE_MESSAGE, Boolean.class))
                .isTrue();
        assertThat(jdbc.queryForObject("SELECT repository FROM fencedlease_keys", String.class))
                .isEqualTo("from-dsl");
    }

    @Test
    void asABeanInSpringXml() {
        try (ClassPathXmlApplicationContext spring = new ClassPathXmlApplicationContext("dsl/repository-spring.xml")) {
            org.apache.camel.CamelContext context = spring.getBean(org.apache.camel.CamelContext.class);
            eventually()
                    .until(() -> context.createProducerTemplate()
                                    .request("direct:bean", e -> e.getMessage().setHeader("key", "a"))
                                    .getException()
                            == null);
            assertThat(new JdbcTemplate(spring.getBean("db", javax.sql.DataSource.class))
                            .queryForObject("SELECT repository FROM fencedlease_keys", String.class))
                    .isEqualTo("from-spring");
        }
    }

    /** Goes away, or commits and breaks the connection before the answer. */
    private static final class Breakable extends DelegatingDataSource {
        volatile boolean away;
        volatile boolean losesAnswersOfCommits;

        Breakable(LeaseDatabase database) {
            super(database.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (away) {
                throw new SQLException("away", "08001");
            }
            Connection connection = super.getConnection();
            return (Connection) java.lang.reflect.Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        try {
                            Object result = method.invoke(connection, arguments);
                            if (losesAnswersOfCommits && method.getName().equals("commit")) {
                                throw new SQLException("answer lost", "08006");
                            }
                            return result;
                        } catch (java.lang.reflect.InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
