package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Goal: a node that is told to stop stops, whatever it is waiting for. Method: calls to a real Consul that hang. */
@NeedsConsul
class ContextStopIT {

    // T71: hashicorp/consul#800
    @Test
    void aStopWhileAnAcquisitionIsPendingEndsSoonAndNothingIsAcquiredLate() {
        try (ConsulProcess consul = ConsulProcess.start();
                ConsulNodes nodes = new ConsulNodes(consul)) {
            ConsulNode a = nodes.leading("a", Way.POLICY);
            // its session is to be believed longer than the lock-delay lasts, though nothing answers it
            ConsulNode b = nodes.node("b")
                    .times(LeaseSettings.builder("*")
                            .ttl(Duration.ofSeconds(15))
                            .renewalInterval(ConsulNode.TIMES.renewalInterval())
                            .attemptLimit(ConsulNode.TIMES.attemptLimit())
                            .build())
                    .ticking(Way.CONSUMER)
                    .start();
            eventually().until(b::knowsHolder);
            a.network.cut();
            nodes.destroyHoldersSession();
            eventually().until(() -> !b.knowsHolder()); // from now on it asks again and again, into the lock-delay
            b.network.hangAnswers(0);
            eventually().until(() -> !nodes.holdingSession().isEmpty());
            assertThat(b.holds()).isFalse();

            long stopping = System.nanoTime();
            b.context.stop();
            assertThat(measured("stop with an acquisition pending", stopping)).isLessThan(Duration.ofSeconds(2));
            b.network.heal();

            eventually().until(() -> nodes.holdingSession().isEmpty());
            nodes.leading("c", Way.CONSUMER);
            assertThat(nodes.journal.ran("b")).isFalse();
        }
    }
}
