package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FencedOutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.apache.camel.model.RouteDefinition;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Goal: a write that was held up after the last look at the lease lands never, its successor's does. Method: a data source
 * that waits before it gives a connection, while a real Consul gives the lease to another node.
 */
@NeedsConsul
class FencedWriteIT {

    private static ConsulProcess consul;

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private ConsulNodes nodes;

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @BeforeEach
    void open() {
        nodes = new ConsulNodes(consul);
        jdbc.execute("create table written(node varchar(10))");
    }

    @AfterEach
    void close() {
        nodes.close();
        jdbc.execute("shutdown");
        pool.dispose();
    }

    // T01: CAMEL-24457, T54: ShedLock#132, T59: redisson#3636
    enum Loss {
        SESSION_DESTROYED((nodes, holder) -> nodes.destroyHoldersSession()),
        CUT_OFF((nodes, holder) -> holder.network.hang());

        final BiConsumer<ConsulNodes, ConsulNode> happens;

        Loss(BiConsumer<ConsulNodes, ConsulNode> happens) {
            this.happens = happens;
        }
    }

    // T01: CAMEL-24457, T54: ShedLock#132, T59: redisson#3636
    @ParameterizedTest
    @CsvSource({"SESSION_DESTROYED, CONSUMER", "SESSION_DESTROYED, POLICY", "CUT_OFF, POLICY"})
    void aWriteHeldUpOverTheLossIsRefusedAndTheSuccessorsLands(Loss loss, Way way) throws Exception {
        Gate gate = new Gate();
        AtomicBoolean armed = new AtomicBoolean();
        ConsulNode a = writing("a", way, new HeldUp(pool, gate, armed), route -> route.process(e -> armed.set(true)));
        a.start();
        gate.awaitArrival();

        loss.happens.accept(nodes, a);
        writing("b", way, pool, route -> route).start();
        eventually().until(() -> written("b") == 1);
        gate.open();

        eventually().until(() -> !nodes.journal.failures("a").isEmpty());
        assertThat(nodes.journal.failures("a").get(0)).isInstanceOf(FencedOutException.class);
        assertThat(written("a")).isZero();
    }

    // T54: ShedLock#132
    @Test
    void workLongerThanTheTtlLandsUnderOneTenureWhileRenewalsSucceed() throws Exception {
        Busy busy = new Busy();
        writing("a", Way.CONSUMER, pool, busy::steps).start();
        busy.awaitBegun();
        writing("b", Way.POLICY, pool, route -> route).start();

        ConsulNodes.during(ConsulNode.TIMES.ttl().plusSeconds(1)).until(() -> !nodes.journal.ran("b"));
        busy.goOn();

        eventually().until(() -> written("a") == 1);
        assertThat(nodes.journal.failures("a")).isEmpty();
        assertThat(written("b")).isZero();
    }

    private ConsulNode writing(String name, Way way, DataSource database, UnaryOperator<RouteDefinition> before) {
        ConsulNode node = nodes.node(name);
        node.context.getRegistry().bind("db", database);
        String write =
                "fencedlease:" + nodes.lease + ":sql:INSERT INTO written(node) VALUES ('" + name + "')?dataSource=#db";
        return node.leased(way, "timer:once?repeatCount=1&delay=0", route -> before.apply(route)
                .to(write));
    }

    private int written(String node) {
        return jdbc.queryForObject("select count(*) from written where node = ?", Integer.class, node);
    }

    /** Once armed, it waits at the gate before it gives a connection: the write's check of the lease lies behind. */
    private static final class HeldUp extends DelegatingDataSource {

        private final Gate gate;
        private final AtomicBoolean armed;

        HeldUp(DataSource database, Gate gate, AtomicBoolean armed) {
            super(database);
            this.gate = gate;
            this.armed = armed;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (armed.get()) {
                try {
                    gate.pass();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
            return super.getConnection();
        }
    }
}
