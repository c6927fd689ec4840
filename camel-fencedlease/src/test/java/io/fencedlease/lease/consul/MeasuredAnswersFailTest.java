package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.Timers.Pending;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that {@link MeasuredAnswers} can fail: a model that believes something else is refused by the row about it. */
class MeasuredAnswersFailTest {

    @ParameterizedTest
    @EnumSource
    void aWrongModelIsRefusedByItsRow(AnswerSin sin) {
        Row row = MeasuredAnswers.rows()
                .filter(each -> each.behaviour().equals(sin.refusedBy))
                .findFirst()
                .orElseThrow();

        assertThatThrownBy(() -> row.playOn(new Sinner(sin))).isInstanceOf(AssertionError.class);
    }

    private static final class Sinner extends AnsweringSimulation {

        private final AnswerSin sin;

        Sinner(AnswerSin sin) {
            this.sin = sin;
        }

        @Override
        public ConsulTransport as(String token) {
            return new Sinful(super.as(token), sin);
        }
    }

    private record Sinful(ConsulTransport honest, AnswerSin sin) implements ConsulTransport {

        @Override
        public CompletableFuture<ConsulAnswer> send(ConsulRequest request, Duration limit) {
            return honest.send(sin.asked(request), limit).thenApply(sin::answered);
        }

        @Override
        public Pending after(Duration delay, Runnable task) {
            return honest.after(delay, task);
        }

        @Override
        public void close() {
            honest.close();
        }
    }
}
