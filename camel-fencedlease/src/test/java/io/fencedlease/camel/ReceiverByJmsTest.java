package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Goal: the token travels by JMS from a leased route to a receiver that refuses what is stale. Method: a real broker. */
class ReceiverByJmsTest {

    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final LeaseDatabase leases = new LeaseDatabase();
    private final LeaseDatabase ledger = new LeaseDatabase();
    private final LeasedNode sender = new LeasedNode(leases, "sender");
    private final DefaultCamelContext receiver = new DefaultCamelContext();

    @BeforeEach
    void start() throws Exception {
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .addAcceptorConfiguration("vm", "vm://17"));
        broker.start();
        sender.context.addComponent("jms", jms());
        sender.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:send").to("jms:queue:invoices");
                    }
                })
                .start();
        ledger.jdbc().execute("create table ledger(token bigint, what varchar(20))");
        receiver.addComponent("jms", jms());
        receiver.getRegistry().bind("db", ledger.dataSource());
        receiver.getRegistry()
                .bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(ledger.dataSource())));
        receiver.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:queue:invoices?transacted=true")
                        .transacted("required")
                        .to("fencedlease:L:guard:ledger?fence.dataSource=#db&fence.mode=receiver"
                                + "&fence.onStale=deadLetter&fence.deadLetter=jms:queue:stale")
                        .to("sql:insert into ledger(token, what) values (:#${header.FencingToken}, :#${body})"
                                + "?dataSource=#db");
            }
        });
        receiver.start();
    }

    @AfterEach
    void stop() throws Exception {
        sender.close();
        receiver.stop();
        broker.stop();
        leases.close();
        ledger.close();
    }

    private static JmsComponent jms() {
        return JmsComponent.jmsComponent(new ActiveMQConnectionFactory("vm://17"));
    }

    private List<String> received() {
        return ledger.jdbc().queryForList("select what from ledger", String.class);
    }

    private Long lastToken() {
        return ledger.jdbc().queryForObject("select max(token) from ledger", Long.class);
    }

    private void sendLeased(String what) {
        var template = sender.context.createProducerTemplate();
        eventually()
                .until(() -> template.request("direct:send", e -> e.getMessage().setBody(what))
                                .getException()
                        == null);
    }

    @Test
    void whatATenureSentIsTakenUntilTheNextOneWasHeard() {
        sendLeased("first");
        eventually().untilAsserted(() -> assertThat(received()).containsExactly("first"));
        long first = lastToken();
        leases.destroySessions();
        eventually().until(() -> sender.report()
                .tenure()
                .filter(t -> t.token().value() > first)
                .isPresent());
        sendLeased("second");
        eventually().untilAsserted(() -> assertThat(received()).containsExactly("first", "second"));

        sender.context
                .createProducerTemplate()
                .sendBodyAndHeaders(
                        "jms:queue:invoices",
                        "late",
                        Map.of(FencingHeaders.LEASE, "L", FencingHeaders.TOKEN, first, FencingHeaders.NONCE, "n"));

        String dead = receiver.createConsumerTemplate().receiveBody("jms:queue:stale", 30_000, String.class);
        assertThat(dead).isEqualTo("late");
        assertThat(received()).containsExactly("first", "second");
    }
}
