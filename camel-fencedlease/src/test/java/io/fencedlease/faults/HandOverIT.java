package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a lease that is given back is taken at once, and not before the work under it has ended. Method: real nodes. */
@NeedsConsul
@Alone
class HandOverIT {

    /** So long that nobody can take a hand-over for a takeover. */
    private static final LeaseSettings LONG_LOCK_DELAY = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(30))
            .renewalInterval(Duration.ofSeconds(5))
            .lockDelay(Duration.ofSeconds(30))
            .build();

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

    // M7, T25: camel-consul, T62: client-go#728
    @ParameterizedTest
    @EnumSource(Way.class)
    void aPlannedStopDrainsFirstAndTheNextNodeStartsAtOnce(Way way) throws Exception {
        Busy busy = new Busy();
        ConsulNode a = nodes.node("a")
                .times(LONG_LOCK_DELAY)
                .leased(way, "timer:once?repeatCount=1&delay=0", busy::steps)
                .start();
        busy.awaitBegun();
        ConsulNode b = nodes.node("b").times(LONG_LOCK_DELAY).ticking(way).start();
        eventually().until(b::knowsHolder);

        Thread stopping = new Thread(a.context::stop, "stopping-a");
        stopping.start();
        ConsulNodes.during(Duration.ofSeconds(2)).until(() -> a.holds() && !nodes.journal.ran("b"));
        busy.goOn();
        stopping.join(20_000);
        long stopped = System.nanoTime();

        assertThat(a.context.isStopped()).isTrue();
        assertThat(busy.passed()).isEqualTo(1);
        assertThat(nodes.journal.failures("a")).isEmpty();
        eventually().until(() -> nodes.journal.ran("b"));
        long started = nodes.journal.first("b").nanos();
        assertThat(started).isGreaterThan(busy.passedAt());
        measured(way + ": planned hand-over from the end of the work", busy.passedAt(), started);
        assertThat(measured(way + ": planned hand-over from the end of the stop", stopped, started))
                .isLessThan(Duration.ofSeconds(1));
    }

    // T06: CAMEL-24626
    @ParameterizedTest
    @EnumSource(Way.class)
    void aNodeThatCannotStartItsConsumerGivesTheLeaseBackAndAnotherLeads(Way way) {
        AtomicBoolean broken = new AtomicBoolean(true);
        List<Long> starts = new CopyOnWriteArrayList<>();
        ConsulNode a = nodes.node("a");
        a.context.addComponent("gated", new GatedComponent(() -> {
            starts.add(System.nanoTime());
            if (broken.get()) {
                throw new IllegalStateException("broken on this node");
            }
        }));
        a.leased(way, "gated:work", route -> route).start();
        eventually().until(() -> a.problem().contains("could not start"));
        eventually().until(() -> starts.size() > 1);
        assertThat(Duration.ofNanos(starts.get(1) - starts.get(0)))
                .as("time left to others")
                .isGreaterThanOrEqualTo(ConsulNode.TIMES.lockDelay());

        long joining = System.nanoTime();
        ConsulNode b = nodes.leading("b", way);

        measured("start of a node that leads beside one that cannot start", joining);
        long token = nodes.journal.highestToken();
        ConsulNodes.during(Duration.ofSeconds(6)).until(b::holds);
        assertThat(nodes.journal.highestToken()).isEqualTo(token);
        assertThat(nodes.journal.ran("a")).isFalse();

        broken.set(false);
        nodes.stop("b");
        eventually().until(() -> nodes.journal.ran("a"));
        nodes.journal.assertNoOverlap();
    }
}
