package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A loop that does not run any more is seen from outside. */
class PulseTest {

    private final VirtualTime time = new VirtualTime();
    private final Pulse pulse = new Pulse(time, Duration.ofSeconds(10));

    @Test
    void aLoopThatBeatsIsWell() {
        for (int i = 0; i < 5; i++) {
            time.advance(Duration.ofSeconds(9));
            pulse.beat();
        }
        assertThat(pulse.ailment()).isEmpty();
    }

    @Test
    void aLoopThatFellSilentIsStuckUntilItBeatsAgain() {
        time.advance(Duration.ofSeconds(11));
        assertThat(pulse.ailment()).map(Ailment::kind).contains(Ailment.Kind.STUCK);

        pulse.beat();
        assertThat(pulse.ailment()).isEmpty();
    }

    @Test
    void aLoopThatWasEndedIsNotStuck() {
        pulse.stop();
        time.advance(Duration.ofSeconds(11));
        assertThat(pulse.ailment()).isEmpty();
    }
}
