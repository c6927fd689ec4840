package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.Tenure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * Goal: an exchange in flight learns of the loss at its next step, once, and everything meant for failures runs. Method:
 * a step destroys the session and returns when the loss is known.
 */
class LossIsToldTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final List<String> journal = new CopyOnWriteArrayList<>();
    private volatile RunningTenure running;

    @BeforeEach
    void start() throws Exception {
        database.jdbc().execute("create table t(id int)");
        SpringTransactionPolicy required =
                new SpringTransactionPolicy(new DataSourceTransactionManager(database.dataSource()));
        required.setPropagationBehaviorName("PROPAGATION_REQUIRED");
        node.context.getRegistry().bind("required", required);
        node.routes(new Routes()).start();
        eventually().until(node::holds);
        eventually().until(() -> call("nothing").getException() == null);
        journal.clear();
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private Processor mark(String step) {
        return exchange -> journal.add(step);
    }

    private void lose(Exchange exchange) {
        database.destroySessions();
        running = TenureStamp.of(exchange).running();
        eventually().until(running::lost);
        journal.add("lost");
    }

    private final class Routes extends RouteBuilder {
        @Override
        public void configure() {
            errorHandler(defaultErrorHandler()
                    .maximumRedeliveries(5)
                    .redeliveryDelay(1)
                    .onRedelivery(mark("again")));
            leased("nothing").process(mark("nothing"));
            leased("plain").process(LossIsToldTest.this::lose).process(mark("must not run"));
            leased("last").process(LossIsToldTest.this::lose);
            leased("handled")
                    .onException(LeaseLostException.class)
                    .handled(true)
                    .process(mark("handler"))
                    .process(mark("handler 2"))
                    .end()
                    .process(LossIsToldTest.this::lose)
                    .process(mark("must not run"));
            leased("deadLetter")
                    .errorHandler(deadLetterChannel("direct:dead")
                            .maximumRedeliveries(5)
                            .onRedelivery(mark("again")))
                    .process(LossIsToldTest.this::lose)
                    .process(mark("must not run"));
            leased("fencedOut")
                    .errorHandler(deadLetterChannel("direct:dead").maximumRedeliveries(5))
                    .process(e -> {
                        lose(e);
                        Tenure tenure = TenureStamp.of(e).tenure();
                        throw new FencedOutException("t", tenure, tenure.token().value() + 1);
                    });
            from("direct:dead").process(mark("dead")).process(mark("dead 2"));
            leased("try")
                    .doTry()
                    .process(LossIsToldTest.this::lose)
                    .process(mark("must not run"))
                    .doCatch(LeaseLostException.class)
                    .process(mark("caught"))
                    .doFinally()
                    .process(mark("finally"))
                    .end()
                    .process(mark("must not run"));
            leased("hop").to("direct:hopped").process(mark("must not run"));
            from("direct:hopped").process(LossIsToldTest.this::lose).process(mark("must not run"));
            leased("tryHop")
                    .doTry()
                    .to("direct:hopped")
                    .doCatch(LeaseLostException.class)
                    .process(mark("caught"))
                    .end()
                    .process(mark("must not run"));
            leased("split")
                    .split(body().tokenize(","))
                    .process(e -> {
                        if ("b".equals(e.getMessage().getBody())) {
                            lose(e);
                        }
                    })
                    .process(e -> journal.add("part " + e.getMessage().getBody()))
                    .end()
                    .process(mark("must not run"));
            leased("threads").threads(2).process(LossIsToldTest.this::lose).process(mark("must not run"));
            leased("seda").to("seda:hop?waitForTaskToComplete=Always").process(mark("must not run"));
            from("seda:hop").process(LossIsToldTest.this::lose).process(mark("must not run"));
            leased("transacted")
                    .transacted("required")
                    .to("sql:insert into t values(1)?dataSource=#db")
                    .process(LossIsToldTest.this::lose)
                    .to("sql:insert into t values(2)?dataSource=#db");
        }

        private org.apache.camel.model.RouteDefinition leased(String name) {
            return from("fencedlease:L:direct:" + name).routeId(name);
        }
    }

    private Exchange call(String route) {
        return node.context.createProducerTemplate().request("direct:" + route, e -> e.getMessage()
                .setBody("a,b,c,d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "hop", "threads", "seda", "transacted"})
    void theNextStepDoesNotRunAndNothingIsRedelivered(String route) {
        Exchange exchange = call(route);
        assertThat(exchange.getException(LeaseLostException.class)).isNotNull();
        assertThat(journal).containsExactly("lost");
        assertThat(database.jdbc().queryForObject("select count(*) from t", Integer.class))
                .isZero();
    }

    // T49: spring-integration#9291
    @Test
    void workThatFinishesAfterTheLossIsReported() {
        assertThat(call("last").getException()).isNull();
        eventually().until(() -> running.finishedLate() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "handled", "transacted"})
    void whoWasToldIsNotReportedAsFinishedLate(String route) {
        call(route);
        eventually().until(() -> running.alive() == 0);
        assertThat(running.finishedLate()).isZero();
    }

    @Test
    void anExceptionHandlerRunsWhole() {
        assertThat(call("handled").getException()).isNull();
        assertThat(journal).containsExactly("lost", "handler", "handler 2");
    }

    @Test
    void aDeadLetterRouteRunsWhole() {
        call("deadLetter");
        assertThat(journal).containsExactly("lost", "dead", "dead 2");
    }

    @Test
    void aDeadLetterRouteRunsWholeAlsoForARefusedWrite() {
        call("fencedOut");
        assertThat(journal).containsExactly("lost", "dead", "dead 2");
    }

    @Test
    void aCatchRunsAndTheStepAfterItIsToldAgain() {
        assertThat(call("try").getException(LeaseLostException.class)).isNotNull();
        assertThat(journal).containsExactly("lost", "caught", "finally");
    }

    @Test
    void aCatchRunsAlsoIfTheLossWasToldInAnotherRoute() {
        assertThat(call("tryHop").getException(LeaseLostException.class)).isNotNull();
        assertThat(journal).containsExactly("lost", "caught");
    }

    @Test
    void theOtherPartsOfASplitAreTold() {
        assertThat(call("split").getException(LeaseLostException.class)).isNotNull();
        assertThat(journal).containsExactly("part a", "lost");
    }

    @Test
    void afterwardsTheNodeHoldsAgainAndRuns() {
        call("plain");
        eventually().until(() -> node.report().state() == LeaseReport.State.HOLDING);
        eventually().until(() -> call("nothing").getException() == null);
    }
}
