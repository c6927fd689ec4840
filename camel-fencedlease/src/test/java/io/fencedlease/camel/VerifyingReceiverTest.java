package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Goal: a receiver that asks the lease service can be neither fooled nor poisoned. Method: a sender and a receiver, H2. */
class VerifyingReceiverTest {

    private final LeaseDatabase leases = new LeaseDatabase();
    private final LeaseDatabase ledger = new LeaseDatabase();
    private final LeasedNode sender = new LeasedNode(leases, "sender");
    private final DefaultCamelContext receiver = new DefaultCamelContext();

    @BeforeEach
    void start() throws Exception {
        sender.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:send").process(exchange -> {});
                    }
                })
                .start();
        ledger.jdbc().execute("create table ledger(token bigint)");
        FencedLeaseComponent component = receiver.getComponent("fencedlease", FencedLeaseComponent.class);
        component.getConfiguration().setDataSource(leases.dataSource());
        receiver.getRegistry().bind("db", ledger.dataSource());
        receiver.getRegistry()
                .bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(ledger.dataSource())));
        receiver.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                for (String onStale : List.of("fail", "drop")) {
                    from("direct:" + onStale)
                            .transacted("required")
                            .to("fencedlease:L:guard:ledger?fence.dataSource=#db&fence.mode=receiver&fence.verify=true"
                                    + "&fence.onStale=" + onStale)
                            .to("sql:insert into ledger(token) values (:#${header.FencingToken})?dataSource=#db");
                }
            }
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        sender.close();
        receiver.stop();
        leases.close();
        ledger.close();
    }

    /** The headers of a message that the leased route sends now. */
    private Map<String, @Nullable Object> message() {
        var template = sender.context.createProducerTemplate();
        return new HashMap<>(eventually()
                .until(() -> template.request("direct:send", e -> {}), e -> e.getException() == null)
                .getMessage()
                .getHeaders());
    }

    private Exchange receive(String route, Map<String, @Nullable Object> message) {
        return receiver.createProducerTemplate()
                .request("direct:" + route, e -> e.getMessage().setHeaders(new HashMap<>(message)));
    }

    private int received() {
        return ledger.jdbc().queryForList("select token from ledger").size();
    }

    @Test
    void whoRefusesAForgedTokenSaysWhatIsPublished() {
        Map<String, @Nullable Object> forged = new HashMap<>(message());
        long token = (Long) forged.get(FencingHeaders.TOKEN);
        forged.put(FencingHeaders.NONCE, "guessed");
        assertThat(receive("fail", forged).getException(NoTenureException.class))
                .hasMessageContainingAll("'L'", "nobody published", Long.toString(token));
        assertThat(received()).isZero();
    }

    @Test
    void aMessageOfAnEarlierTenureIsStaleEvenBeforeTheReceiverHeardOfTheNext() {
        Map<String, @Nullable Object> old = message();
        leases.destroySessions();
        eventually().until(() -> !message().get(FencingHeaders.TOKEN).equals(old.get(FencingHeaders.TOKEN)));

        assertThat(receive("fail", old).getException(FencedOutException.class)).hasMessageContaining("published");
        assertThat(receive("drop", old).getException()).isNull();
        assertThat(received()).isZero();
        assertThat(receive("fail", message()).getException()).isNull();
    }

    @Test
    void whatWasSentBeforeAPlannedStopIsStillTaken() {
        Map<String, @Nullable Object> last = message();
        sender.close();
        assertThat(receive("fail", last).getException()).isNull();
        assertThat(received()).isOne();
    }

    @Test
    void anUnreachableServiceIsNoVerdict() {
        Map<String, @Nullable Object> real = message();
        assertThat(receive("drop", real).getException()).isNull();
        leases.jdbc().execute("alter table fencedlease_lease rename to hidden");
        assertThat(receive("drop", real).getException(FenceUnavailableException.class))
                .hasMessageContaining("lease service");
        leases.jdbc().execute("alter table hidden rename to fencedlease_lease");
        assertThat(receive("drop", real).getException()).isNull();
        assertThat(received()).isEqualTo(2);
    }
}
