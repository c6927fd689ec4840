package io.fencedlease.lease;

import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a new generation of a lease: the one call that needs no session. */
record GenerationCall(Loop loop, LeaseBackend backend, Duration limit) {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationCall.class);

    /** @param opened runs on the loop */
    CompletableFuture<Long> begin(Supplier<LeaseReport> known, long atLeast, Runnable opened) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        loop.timers().execute(() -> call(known.get(), atLeast, opened, answer));
        return answer;
    }

    private void call(LeaseReport known, long atLeast, Runnable opened, CompletableFuture<Long> answer) {
        LeaseName name = known.lease();
        long own = known.tenure().map(tenure -> tenure.token().value()).orElse(0L);
        long mark = known.regression().map(TokenRegression::mark).orElse(0L);
        long highest = Math.max(atLeast, Math.max(own, mark));
        loop.call(() -> backend.openGeneration(name, highest, limit), limit, new Loop.Answer<>() {
            @Override
            public void good(Long above) {
                LOG.warn("lease '{}' new generation opened: tokens go on above {}", name, above);
                opened.run();
                loop.callbacks().execute(() -> answer.complete(above));
            }

            @Override
            public void failed(Throwable why) {
                LOG.warn("lease '{}' new generation not opened: {}", name, FailureText.of(why));
                loop.callbacks().execute(() -> answer.completeExceptionally(why));
            }
        });
    }
}
