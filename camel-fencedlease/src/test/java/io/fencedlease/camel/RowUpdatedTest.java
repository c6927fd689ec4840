package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.NoRowWrittenException;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.sql.SqlConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: {@code requireRowUpdated()} believes only the step before it. Method: a plain sql endpoint on H2. */
class RowUpdatedTest {

    private static final String UPDATE = "sql:UPDATE t SET fencing_token=:#FencingToken WHERE id=:#id"
            + " AND fencing_token <= :#FencingToken?dataSource=#db";

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");

    @BeforeEach
    void start() throws Exception {
        node.component.setTtl(15_000); // no loss but ours, however busy the machine
        database.jdbc().execute("create table t(id int primary key, fencing_token bigint default 0)");
        database.jdbc().update("insert into t(id) values (1)");
        node.context.getRegistry().bind("updated", FencedWrites.requireRowUpdated());
        node.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:right").to(UPDATE).process(FencedWrites.requireRowUpdated());
                        from("fencedlease:L:direct:byName").to(UPDATE).process("updated");
                        from("fencedlease:L:direct:old")
                                .to(UPDATE)
                                .to("sql:SELECT 1?dataSource=#db")
                                .process(FencedWrites.requireRowUpdated());
                        from("fencedlease:L:direct:twice")
                                .to(UPDATE)
                                .process("updated")
                                .process("updated");
                        from("fencedlease:L:direct:batch")
                                .to(UPDATE + "&batch=true")
                                .process("updated");
                        from("fencedlease:L:direct:sub").to("direct:two").process("updated");
                        from("direct:two").to(UPDATE).to("sql:INSERT INTO t(id) VALUES (8)?dataSource=#db");
                        from("fencedlease:L:direct:first").process("updated").to("log:x");
                    }
                })
                .start();
        eventually().until(() -> send("right", 1).getException() == null);
    }

    private Exchange send(String route, int id) {
        return node.context.createProducerTemplate().request("direct:" + route, e -> {
            e.getMessage().setHeader("id", id);
            e.getMessage().setHeader(SqlConstants.SQL_UPDATE_COUNT, 7);
        });
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"right", "byName"})
    void passesWhereTheStepBeforeChangedARow(String route) {
        assertThat(send(route, 1).getException()).isNull();
        assertThat(send(route, 2).getException()).isInstanceOf(NoRowWrittenException.class);
    }

    @Test
    void aCountLeftOverFromAnEarlierStepIsNotBelieved() {
        assertThat(send("old", 1).getException()).isInstanceOf(NoRowWrittenException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "batch", "sub"})
    void whereTheStepBeforeIsNotKnownNothingIsBelieved(String route) {
        assertThat(send(route, 1).getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the step after a plain sql:");
    }
}
