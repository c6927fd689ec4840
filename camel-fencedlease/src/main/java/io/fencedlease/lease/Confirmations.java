package io.fencedlease.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Questions whether a lease is still ours, each answered by a read that began after it. Confined to the loop. */
final class Confirmations {

    private final Executor callbacks;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> reading = new ArrayList<>();

    Confirmations(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void ask(CompletableFuture<Boolean> question) {
        waiting.add(question);
    }

    void readBegins() {
        reading.addAll(waiting);
        waiting.clear();
    }

    void answer(boolean ours) {
        tell(future -> future.complete(ours));
    }

    void unknown(Throwable why) {
        tell(future -> future.completeExceptionally(why));
    }

    /** For a lease that is over: the answer needs no read any more. */
    void over() {
        readBegins();
        answer(false);
    }

    private void tell(Consumer<CompletableFuture<Boolean>> answer) {
        if (!reading.isEmpty()) {
            List<CompletableFuture<Boolean>> told = List.copyOf(reading);
            reading.clear();
            callbacks.execute(() -> told.forEach(answer));
        }
    }
}
