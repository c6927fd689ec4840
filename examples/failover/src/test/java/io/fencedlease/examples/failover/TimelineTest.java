package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.examples.failover.Event.Type;
import io.fencedlease.lease.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Timeline timeline = new Timeline(Ticker.system(), new PrintStream(printed, true));

    @Test
    void anEventIsPrintedWithTimeNodeTokenAndWhatHappened() {
        timeline.add("B", Type.TOOK_OVER, 9, 0, "after 4.2 s");

        assertThat(printed.toString()).matches(" +[0-9.]+ s   B  token 9    took over   after 4.2 s\\R");
    }

    @Test
    void awaitedEventsCountFromTheGivenPosition() throws Exception {
        timeline.add("A", Type.ACCEPTED, 1, 1, "old");
        int from = timeline.position();
        CompletableFuture<Event> second = CompletableFuture.supplyAsync(() -> {
            try {
                return timeline.awaitCount("two", 2, from, e -> e.type() == Type.ACCEPTED, LONG);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        });

        timeline.add("A", Type.ACCEPTED, 1, 2, "first");
        timeline.note("something else");
        timeline.add("A", Type.ACCEPTED, 1, 3, "second");

        assertThat(second.get().text()).isEqualTo("second");
    }

    @Test
    void waitingInVainNamesWhatDidNotCome() {
        assertThatThrownBy(() -> timeline.await("B acquires", 0, e -> false, Duration.ofMillis(1)))
                .isInstanceOf(ScriptFailedException.class)
                .hasMessageContaining("B acquires");
    }

    @Test
    void aBrokenDemoIsNotWaitedFor() {
        timeline.broken("node A ended by itself");

        assertThatThrownBy(() -> timeline.await("B acquires", 0, e -> false, LONG))
                .isInstanceOf(ScriptFailedException.class)
                .hasMessage("node A ended by itself");
    }
}
