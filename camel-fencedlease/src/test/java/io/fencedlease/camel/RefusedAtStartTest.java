package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.lease.SettingRefusedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.file.strategy.FileMoveExistingStrategy;
import org.apache.camel.impl.engine.PooledExchangeFactory;
import org.apache.camel.processor.aggregate.MemoryAggregationRepository;
import org.apache.camel.processor.aggregate.UseLatestAggregationStrategy;
import org.apache.camel.util.ObjectHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what cannot work is refused when the context starts, by one message with lease, option, given and allowed. Method:
 * start contexts with one fault each.
 */
class RefusedAtStartTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final List<LeasedNode> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(LeasedNode::close);
        database.close();
    }

    private LeasedNode node() {
        LeasedNode node = new LeasedNode(database, "a");
        nodes.add(node);
        return node;
    }

    private static SettingRefusedException refusal(LeasedNode node, RouteBuilder routes) {
        Throwable thrown = catchThrowable(() -> node.routes(routes).start());
        assertThat(thrown).isNotNull();
        SettingRefusedException refusal = ObjectHelper.getException(SettingRefusedException.class, thrown);
        assertThat(refusal).as("cause of " + thrown).isNotNull();
        return refusal;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fencedlease:L:timer:t?lease.tl=5s | 'L' | lease.tl | 5s | lease.ttl",
                "fencedlease:L:timer:t?lease.ttl=soon | 'L' | lease.ttl | soon | duration",
                "fencedlease:L:timer:t?lease.ttl=500 | 'L' | ttl | 500ms | 1s to 30m",
                "fencedlease:L:timer:t?lease.ttl=5s&lease.renewalInterval=5s | 'L' | renewalInterval | 5s | below ttl",
                "fencedlease:L:timer:t?lease.ttl=30s&lease.lockDelay=61s | 'L' | lockDelay | 61s | 60s",
                "fencedlease:L:timer:t?lease.ttl=30s&lease.lockDelay=1s | 'L' | lockDelay | 1s | 10s",
                "fencedlease:bad name:timer:t | 'bad name' | leaseName | bad name | A-Z",
                "fencedlease:L:timer:t?fence.mode=row | 'L' | fence.mode | fencedlease | lease.*",
                "fencedlease:L | 'L' | delegateUri | fencedlease:L | fencedlease:LEASE:DELEGATE-URI",
                "fencedlease:timer:t | 'timer' | delegateUri | no component | left out",
            })
    void aConsumer(String uri, String lease, String option, String given, String allowed) {
        SettingRefusedException refusal = refusal(node(), new RouteBuilder() {
            @Override
            public void configure() {
                from(uri).process(e -> {});
            }
        });
        assertThat(refusal.getMessage()).contains(lease, option, given, allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fencedlease:L:log:x | 'L' | delegateUri | log | fence.acceptRisk",
                "fencedlease:L:http:h/x | 'L' | fence.idempotencyKey | none | fence.acceptRisk",
                "fencedlease:L:http:h/x?fence.idempotencyKey=Content-Length | 'L' | fence.idempotencyKey | Content-Length | header",
                "fencedlease:L:http:h/x?fence.idempotencyKey=FencingToken | 'L' | fence.idempotencyKey | FencingToken | header",
                "fencedlease:L:http:h/x?fence.idempotencyKey=CamelKey | 'L' | fence.idempotencyKey | CamelKey | header",
                "fencedlease:L:https:h/x?fence.idempotencyKey=a b | 'L' | fence.idempotencyKey | a b | header",
                "fencedlease:L:log:x?fence.acceptRisk= | 'L' | fence.acceptRisk | '' | reason",
                "fencedlease:L:log:x?fence.acceptRisk=why&fence.mode=row | 'L' | fence.mode | row | fence.acceptRisk",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.moode=row | 'L' | fence.moode | row | fence.mode",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.mode=rows | 'L' | fence.mode | rows | guarded, row",
                "fencedlease:L:sql:UPDATE t SET s=1?dataSource=#db&fence.mode=row | 'L' | fence.mode=row | UPDATE | SET",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.mode=row | 'L' | fence.mode=row | UPDATE | WHERE",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#none | 'L' | dataSource | none | DataSource",
                "fencedlease:L:jdbc:none | 'L' | dataSource | none | DataSource",
                "fencedlease:L:sql:SELECT 1?dataSource=#db&outputType=StreamList | 'L' | outputType | Stream | SelectList",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.raiseTimeout=soon | 'L' | raiseTimeout | soon | 5s",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.raiseTimeout=abc | 'L' | raiseTimeout | abc | 5s",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.transactionManager=#no | 'L' | transactionManager"
                        + " | #no | PlatformTransactionManager",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&lease.ttl=5s | 'L' | lease.ttl | fencedlease | fence.*",
                "fencedlease:L:sql:DELETE FROM t?dataSource=#db&fence.raiseTimeout=0s | 'L' | raiseTimeout | 0s | 1s",
                "fencedlease:L:sql:UPDATE t SET s=:#FencingToken WHERE s<=:#FencingToken?dataSource=#db&fence.mode=row"
                        + "&fence.check=DELETE FROM t | 'L' | fence.check | DELETE | SELECT",
                "fencedlease:L:guard:x | 'L' | fence.dataSource | none | #db",
                "fencedlease:L:guard:x?fence.dataSource=#db&fence.mode=receiver&fence.onStale=deadLetter"
                        + "&fence.deadLetter=nosuch:x | 'L' | fence.deadLetter | no component | class path",
                "fencedlease:L:guard:x?fence.dataSource=#db&fence.mode=receiver&fence.onStale=deadLetter"
                        + "&fence.deadLetter=RAW(ftp:u:p@h?passiveMode=true) | 'L' | fence.deadLetter | ftp:USER | //",
                "fencedlease:sql:UPDATE t SET a=:#b?dataSource=#db | 'sql' | delegateUri | no component | left out",
                "fencedlease:sql:DELETE FROM t?dataSource=#db | 'sql' | delegateUri | no component | left out",
                "fencedlease:L:file:target/x?jailStartingDirectory=false | 'L' | jailStartingDirectory | false | mark",
                "fencedlease:L:file:target/x?renameUsingCopy=true | 'L' | renameUsingCopy | true | whole",
                "fencedlease:L:file:target/x?checksumFileAlgorithm=SHA0 | 'L' | checksumFileAlgorithm | SHA0 | digest",
                "fencedlease:L:file:target/x?doneFileName=${date:now} | 'L' | doneFileName | ${date:now} | file:name",
                "fencedlease:L:file:target/x?moveExistingFileStrategy=#moving&fileExist=Move&moveExisting=old/ | 'L'"
                        + " | moveExistingFileStrategy | Lambda | past the fence",
                "fencedlease:L:file:target/x?fence.file.fsync=maybe | 'L' | fence.file.fsync | maybe | false, true",
            })
    void aProducer(String uri, String lease, String option, String given, String allowed) {
        LeasedNode node = node();
        node.context.getRegistry().bind("moving", (FileMoveExistingStrategy) (endpoint, operations, name) -> true);
        SettingRefusedException refusal = refusal(node, new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:x").to(uri);
            }
        });
        assertThat(refusal.getMessage()).contains(lease, option, given, allowed);
    }

    @Test
    void aTimeOfTheComponentThatIsNotAboveZero() {
        FencedLeaseComponent component = node().component;

        assertThatThrownBy(() -> component.setTtl(0))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("ttl", "0, or a text that is no duration", "10s");
        assertThatThrownBy(() -> component.getConfiguration().setRaiseTimeout(0))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("raiseTimeout", "no duration");
        assertThatThrownBy(() -> component.setDrainTimeout(-1))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("drainTimeout", "-1ms", "above 0");
    }

    @Test
    void aMissingDataSourceAmongNone() {
        LeasedNode node = node();
        node.context.getRegistry().unbind("db");
        SettingRefusedException refusal = refusal(node, new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:x").to("fencedlease:L:sql:DELETE FROM t");
            }
        });
        assertThat(refusal.getMessage()).contains("'L'", "dataSource", "none", "registry");
    }

    @Test
    void contradictingOptionsOfOneLease() {
        SettingRefusedException refusal = refusal(node(), new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:a?lease.ttl=5s").process(e -> {});
                from("fencedlease:L:timer:b?lease.ttl=6s").process(e -> {});
            }
        });
        assertThat(refusal.getMessage()).contains("'L'", "lease.ttl", "6000ms", "5000ms");
    }

    @Test
    void newOptionsOfALeaseInUse() throws Exception {
        LeasedNode node = node().routes(timer()).start();
        node.routes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:same?lease.ttl=2s").process(e -> {});
            }
        });
        SettingRefusedException refusal = refusal(node, new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:other?lease.lockDelay=5s").process(e -> {});
            }
        });
        assertThat(refusal.getMessage()).contains("'L'", "lease.*", "lockDelay", "runs with");
    }

    @Test
    void noBackendAtAll() {
        LeasedNode node = node();
        node.component.getConfiguration().setBackend(null);
        node.component.getConfiguration().setDataSource(null);
        node.context.getRegistry().unbind("db");
        SettingRefusedException refusal = refusal(node, timer());
        assertThat(refusal.getMessage()).contains("backend", "neither", "consulUrl", "dataSource");
    }

    @Test
    void pooledExchanges() {
        LeasedNode node = node();
        node.context.getCamelContextExtension().setExchangeFactory(new PooledExchangeFactory());
        assertThat(refusal(node, timer()).getMessage()).contains("'L'", "exchangeFactory", "pooled", "prototype");
    }

    @Test
    void pooledExchangesUnderAPolicy() {
        LeasedNode node = node();
        node.context.getCamelContextExtension().setExchangeFactory(new PooledExchangeFactory());
        SettingRefusedException refusal = refusal(node, new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:t").routePolicy(new FencedLeaseRoutePolicy("P")).process(e -> {});
            }
        });
        assertThat(refusal.getMessage()).contains("'P'", "exchangeFactory", "pooled");
    }

    @Test
    void anAggregatorThatCouldMixTenures() {
        SettingRefusedException refusal = refusal(node(), aggregating(new UseLatestAggregationStrategy(), null));
        assertThat(refusal.getMessage()).contains("aggregationStrategy", "UseLatest", "TenureAggregation.of");
    }

    @Test
    void aStoredAggregate() {
        SettingRefusedException refusal = refusal(
                node(),
                aggregating(
                        TenureAggregation.of(new UseLatestAggregationStrategy()), new MemoryAggregationRepository() {
                            @Override
                            public Exchange get(org.apache.camel.CamelContext context, String key) {
                                return super.get(context, key);
                            }
                        }));
        assertThat(refusal.getMessage()).contains("aggregationRepository", "in memory");
    }

    @Test
    void anAggregatorThatDiscardsGroups() {
        SettingRefusedException refusal = refusal(node(), new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:t")
                        .aggregate(constant(1), TenureAggregation.of(new UseLatestAggregationStrategy()))
                        .completionTimeout(50)
                        .discardOnCompletionTimeout()
                        .process(e -> {});
            }
        });
        assertThat(refusal.getMessage()).contains("lease 'L'", "discardOnCompletionTimeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"split", "multicast", "recipientList", "enrich"})
    void aWrappedStrategyOutsideOfAnAggregator(String eip) {
        TenureAggregation strategy = TenureAggregation.of(new UseLatestAggregationStrategy());
        SettingRefusedException refusal = refusal(node(), new RouteBuilder() {
            @Override
            public void configure() {
                var route = from("fencedlease:L:timer:t").choice().when(body());
                switch (eip) {
                    case "split" -> route.split(body(), strategy).to("log:x");
                    case "multicast" -> route.multicast(strategy).to("log:x");
                    case "recipientList" ->
                        route.recipientList(constant("log:x")).aggregationStrategy(strategy);
                    default -> route.enrich("log:x", strategy);
                }
            }
        });
        assertThat(refusal.getMessage()).contains("'L'", "aggregationStrategy", "without TenureAggregation", eip);
    }

    @Test
    void aWrappedAggregatorIsFine() throws Exception {
        node().routes(aggregating(TenureAggregation.of(new UseLatestAggregationStrategy()), null))
                .start();
    }

    @Test
    void onePolicyInTwoContexts() throws Exception {
        FencedLeaseRoutePolicy policy = new FencedLeaseRoutePolicy("P");
        RouteBuilder routes = new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:t").routePolicy(policy).process(e -> {});
            }
        };
        node().routes(routes).start();
        assertThat(refusal(node(), routes).getMessage()).contains("'P'", "routePolicy", "one context");
    }

    @Test
    void pollingOnDemand() throws Exception {
        LeasedNode node = node().start();
        assertThatThrownBy(() -> node.context.createConsumerTemplate().receive("fencedlease:L:seda:x", 10))
                .hasStackTraceContaining("pollEnrich");
    }

    private static RouteBuilder timer() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:L:timer:t").process(e -> {});
            }
        };
    }

    private static RouteBuilder aggregating(
            org.apache.camel.AggregationStrategy strategy, org.apache.camel.spi.AggregationRepository repository) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                var aggregate = from("fencedlease:L:timer:t")
                        .aggregate(constant(1), strategy)
                        .completionSize(2);
                if (repository != null) {
                    aggregate.aggregationRepository(repository);
                }
                aggregate.process(e -> {});
            }
        };
    }
}
