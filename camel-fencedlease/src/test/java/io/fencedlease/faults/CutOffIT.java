package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a holder whose way to Consul fails has stopped before anybody else can hold, costs little meanwhile, and comes
 * back. Method: its own proxy refuses, hangs or delays, while the other node's is well.
 */
@NeedsConsul
class CutOffIT {

    /** Connections a second while nothing answers. */
    private static final int CALM = 10;

    enum Network {
        REFUSING(TcpProxy::cut),
        HANGING(TcpProxy::hang),
        SLOW(proxy -> proxy.delay(Duration.ofSeconds(30)));

        final Consumer<TcpProxy> fault;

        Network(Consumer<TcpProxy> fault) {
            this.fault = fault;
        }
    }

    private static ConsulProcess consul;

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
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    // T01: CAMEL-24457, T33: apache/druid#16528, T34: hazelcast#17260, T69: hashicorp/consul#1843
    @ParameterizedTest
    @CsvSource({"REFUSING, CONSUMER", "HANGING, POLICY", "SLOW, POLICY"})
    void aHolderThatIsCutOffHasStoppedBeforeAnotherHoldsAndComesBack(Network network, Way way) {
        ConsulNode a = nodes.leading("a", way);
        nodes.waiting("b", way);
        int before = a.network.connections();

        long cut = System.nanoTime();
        network.fault.accept(a.network);
        eventually().until(() -> !a.holds());
        if (way == Way.POLICY) {
            eventually().until(() -> a.routeStatus().isStopped());
            assertThat(nodes.journal.ran("b")).isFalse();
        }
        assertThat(measured(network + ": from the cut to stopped", cut)).isLessThan(ConsulNode.TIMES.ttl());

        eventually().until(() -> nodes.journal.ran("b"));
        Duration took = measured(network + ": from the cut to the next holder", cut);
        assertThat(took).isLessThan(ConsulNode.TIMES.failoverBound().plusSeconds(5));
        assertThat(nodes.journal.last("a").nanos() - cut)
                .isLessThan(ConsulNode.TIMES.ttl().toNanos());
        assertThat(a.network.connections() - before).isLessThan((int) (CALM * took.toSeconds()));
        nodes.journal.assertNoOverlap();

        a.network.heal();
        eventually().until(() -> a.problem().isEmpty() && a.knowsHolder());
        long stopping = System.nanoTime();
        nodes.stop("b");
        eventually().until(() -> nodes.journal.ranAfter("a", stopping));
        nodes.journal.assertNoOverlap();
    }
}
