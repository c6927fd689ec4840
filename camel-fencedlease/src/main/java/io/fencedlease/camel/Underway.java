package io.fencedlease.camel;

import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Starts and stops parts on their lanes, and knows what does not come back. Thread-safe. */
final class Underway {

    private final WorkThreads threads;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    /** What is done to one part. */
    @FunctionalInterface
    interface Doing {
        void to(LeasedPart part) throws Exception;
    }

    /** One of them; no two are the same. */
    private static final class Call {
        private final LeasedPart part;
        private final String what;
        private final long since = Ticker.system().nanos();

        Call(LeasedPart part, String what) {
            this.part = part;
            this.what = what;
        }
    }

    Underway(WorkThreads threads) {
        this.threads = threads;
    }

    CompletableFuture<Void> begin(LeasedPart part, String what, Doing doing) {
        Call call = new Call(part, what);
        calls.add(call);
        return part.lane().run(threads, () -> doing.to(part)).whenComplete((ok, failure) -> calls.remove(call));
    }

    /** What has been going on for the longest time: the part, what is done to it, since when. */
    Optional<String> longest() {
        long now = Ticker.system().nanos();
        return calls.stream()
                .max(Comparator.comparingLong(call -> now - call.since))
                .map(call -> call.part.describe() + " hangs in its " + call.what + " for "
                        + Duration.ofNanos(now - call.since).toSeconds() + " s");
    }
}
