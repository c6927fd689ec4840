package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LossReason;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How long the work of lost tenures went on after their loss was known here. Thread-safe. */
final class StopTimes {

    private final AtomicReference<@Nullable Long> running = new AtomicReference<>();
    private final AtomicLong worst = new AtomicLong(-1);

    void follow(Lease lease, CompletionStage<TenureRun.Ending> over) {
        lease.lost().thenAccept(reason -> {
            if (reason.kind() != LossReason.Kind.CLOSED) {
                running.set(Ticker.system().nanos());
            }
        });
        over.thenRun(() -> {
            Long since = running.getAndSet(null);
            if (since != null) {
                worst.accumulateAndGet(Ticker.system().nanos() - since, Math::max);
            }
        });
    }

    /** Counts what is going on now as well; empty before the first loss. */
    Optional<Duration> worst() {
        Long since = running.get();
        long longest =
                Math.max(worst.get(), since == null ? -1 : Ticker.system().nanos() - since);
        return longest < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(longest));
    }
}
