package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver that never returns costs its caller the limit and nobody else anything. */
class WorkersTest {

    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Workers workers = new Workers(2);
    private final CountDownLatch stuck = new CountDownLatch(1);

    @AfterEach
    void close() {
        stuck.countDown();
        workers.close();
    }

    @Test
    void aCallThatNeverReturnsEndsAsUnavailable() {
        assertThatThrownBy(() -> Answers.once(hang())).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void callsThatWaitForAThreadTooLongEndAsUnavailableAndNeverRun() {
        List<CompletionStage<String>> both =
                List.of(workers.call(LONG, this::untilFreed), workers.call(LONG, this::untilFreed));
        boolean[] ran = new boolean[1];

        assertThatThrownBy(() -> Answers.once(workers.call(LIMIT, tooLate -> ran[0] = true)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("no free database thread");
        stuck.countDown();
        both.forEach(Answers::once);
        assertThat(answered("after")).isEqualTo("after");
        assertThat(ran[0]).isFalse();
    }

    @Test
    void threadsThatHangAreReplaced() {
        List<CompletionStage<String>> hung =
                IntStream.range(0, 4).mapToObj(i -> hang()).toList();
        hung.forEach(
                call -> assertThatThrownBy(() -> Answers.once(call)).isInstanceOf(BackendUnavailableException.class));

        assertThat(answered("served")).isEqualTo("served");
    }

    @Test
    void aFailureComesAsItIs() {
        IllegalStateException failure = new IllegalStateException("as it is");
        assertThatThrownBy(() -> Answers.once(workers.call(LONG, tooLate -> {
                    throw failure;
                })))
                .isSameAs(failure);
    }

    @Test
    void afterCloseCallsFailAtOnce() {
        workers.close();
        assertThatThrownBy(() -> Answers.once(workers.call(LONG, tooLate -> "no")))
                .isInstanceOf(BackendUnavailableException.class);
    }

    private String answered(String value) {
        return Answers.once(workers.call(LONG, tooLate -> value));
    }

    private CompletionStage<String> hang() {
        return workers.call(LIMIT, this::untilFreed);
    }

    private String untilFreed(java.util.function.BooleanSupplier tooLate) throws InterruptedException {
        stuck.await();
        return "freed";
    }
}
