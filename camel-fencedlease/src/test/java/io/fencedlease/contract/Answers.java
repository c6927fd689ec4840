package io.fencedlease.contract;

import io.fencedlease.lease.spi.BackendUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks a backend as the lease loop does: unknown outcomes are tried again, everything else is an answer. */
public final class Answers {

    private static final Duration COMPLETION = Duration.ofSeconds(30);
    private static final int TRIES = 5;

    private Answers() {}

    /** The value, or what the stage failed with; repeats the call while the outcome is unknown. */
    public static <T> T of(Supplier<CompletionStage<T>> call) {
        for (int tried = 1; ; tried++) {
            try {
                return once(call.get());
            } catch (BackendUnavailableException unknown) {
                if (tried == TRIES) {
                    throw unknown;
                }
            }
        }
    }

    /** The value of a stage, or the very exception it failed with. */
    public static <T> T once(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture()
                    .orTimeout(COMPLETION.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError("the stage failed with " + failed.getCause(), failed);
        }
    }
}
