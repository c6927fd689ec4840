package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: whatever ends a process, its leases go on elsewhere and it really ends. Method: JVMs of their own. */
@NeedsConsul
@Alone
class LeasedProcessIT {

    private static ConsulProcess consul;

    private final String run = UUID.randomUUID().toString();
    private final List<DefaultCamelContext> waiting = new ArrayList<>();

    @AfterEach
    void stopContexts() {
        waiting.forEach(DefaultCamelContext::stop);
    }

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    /** Five sessions die in five phases of their renewal. */
    // T66: client-go#448
    @Test
    void afterAKillTheNextNodeRunsWithinTheBound() throws Exception {
        Figure figure = new Figure(
                "kill -9, first exchange on the next node",
                LeasedProcess.TIMES
                        .ttl()
                        .multipliedBy(2)
                        .plus(LeasedProcess.TIMES.lockDelay())
                        .plusMillis(600));
        List<String> leases =
                IntStream.range(0, 5).mapToObj(i -> run + ".killed." + i).toList();
        Map<String, Long> next = new ConcurrentHashMap<>();
        try (LeasedProcess holder = new LeasedProcess(consul.url().toString(), Duration.ZERO, leases)) {
            eventually().until(() -> holder.ran().containsAll(leases));
            for (String lease : leases) {
                waiting.add(LeasedProcess.start(
                        consul.url().toString(), List.of(lease), 0, ran -> next.put(ran, System.nanoTime())));
            }
            TimeUnit.SECONDS.sleep(1); // they know who holds
            assertThat(next).isEmpty();

            long killed = System.nanoTime();
            holder.process().destroyForcibly();

            eventually().until(() -> next.keySet().containsAll(leases));
            next.values().forEach(ran -> figure.measured(killed, ran));
        }
        figure.hold();
    }

    // T04: CAMEL-24545
    @Test
    void aProcessThatLosesItsSessionWhileItDrainsExitsInTime() throws Exception {
        String lease = run + ".draining";
        try (LeasedProcess process =
                new LeasedProcess(consul.url().toString(), Duration.ofSeconds(5), List.of(lease))) {
            eventually().until(() -> process.ran().contains(lease));
            process.process().getOutputStream().close();
            long stopping = System.nanoTime();
            TimeUnit.SECONDS.sleep(1);
            ConsulAdmin admin = consul.admin();
            admin.sessions().forEach(admin::destroySession);

            assertThat(process.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(measured("exit of a process that drains", stopping)).isLessThan(Duration.ofSeconds(15));
            assertThat(process.process().exitValue()).isZero();
        }
    }
}
