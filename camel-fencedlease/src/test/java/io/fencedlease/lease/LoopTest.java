package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopTest {

    private final VirtualTime time = new VirtualTime();
    private final Loop loop = new Loop(time, time, time::execute, time::execute, new Random(1));
    private final List<Object> answers = new ArrayList<>();

    // T29: CURATOR-15
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void aTaskThatThrowsDoesNotEndTheLoop(Class<? extends Throwable> thrown) throws Exception {
        CountDownLatch wentOn = new CountDownLatch(2);
        try (Timers timers = Timers.system("a-loop")) {
            timers.execute(() -> LoopTest.<RuntimeException>fail(thrown));
            timers.execute(wentOn::countDown);
            timers.after(Duration.ofMillis(1), () -> {
                Thread.currentThread().interrupt();
                LoopTest.<RuntimeException>fail(thrown);
            });
            timers.after(Duration.ofMillis(2), wentOn::countDown);

            assertThat(wentOn.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void fail(Class<? extends Throwable> thrown) throws X {
        try {
            throw (X) thrown.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anAnswerAfterTheLimitIsNotDelivered() {
        CompletableFuture<String> late = new CompletableFuture<>();
        call(() -> late);
        time.advance(Duration.ofSeconds(1));
        late.complete("late");
        time.advance(Duration.ofSeconds(1));

        assertThat(answers).singleElement().isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void aGoodAnswerIsDeliveredOnceOnTheLoop() {
        call(() -> CompletableFuture.completedFuture("good"));
        assertThat(answers).isEmpty();
        time.advance(Duration.ofSeconds(5));

        assertThat(answers).containsExactly("good");
    }

    @Test
    void aCallThatThrowsOrAnswersNothingIsAFailure() {
        call(() -> {
            throw new IllegalStateException("a bug");
        });
        call(() -> CompletableFuture.completedFuture(null));
        time.advance(Duration.ofSeconds(5));

        assertThat(answers).hasSize(2).allMatch(Throwable.class::isInstance);
    }

    private void call(Supplier<CompletionStage<String>> call) {
        loop.call(call, Duration.ofSeconds(1), new Loop.Answer<>() {
            @Override
            public void good(String value) {
                answers.add(value);
            }

            @Override
            public void failed(Throwable why) {
                answers.add(why);
            }
        });
    }
}
