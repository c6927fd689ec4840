package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers;
import io.fencedlease.lease.Timers.Pending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** Blocking queries: each sleeps until its own subject was touched and its index has grown, or its wait is over. */
final class SimulatedWatches {

    private static final Duration DEFAULT_WAIT = Duration.ofMinutes(5);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private record Waiting(
            String key,
            String session,
            long since,
            Supplier<SimulatedReply> query,
            SimulatedCaller caller,
            Pending end) {}

    private final Timers timers;
    private final Random random;
    private final List<Waiting> waiting = new ArrayList<>();

    SimulatedWatches(Timers timers, Random random) {
        this.timers = timers;
        this.random = random;
    }

    /** Of this key, or of all keys that begin so. */
    void ofKeys(String key, SimulatedCall call, Supplier<SimulatedReply> query, SimulatedCaller caller) {
        begin(key, "", call, query, caller);
    }

    void ofSession(String id, SimulatedCall call, Supplier<SimulatedReply> query, SimulatedCaller caller) {
        begin("", id, call, query, caller);
    }

    private void begin(
            String key, String session, SimulatedCall call, Supplier<SimulatedReply> query, SimulatedCaller caller) {
        long since = call.index();
        Duration wait = call.hold();
        SimulatedReply now = query.get();
        if (since == 0 || now.index() > since) {
            caller.answered(now);
            return;
        }
        waiting.removeIf(other -> other.caller().gone());
        Duration longest = wait.isZero() ? DEFAULT_WAIT : wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        Duration spread =
                longest.dividedBy(16).multipliedBy(random.nextInt(1000)).dividedBy(1000);
        Pending[] end = new Pending[1];
        Waiting[] self = new Waiting[1];
        end[0] = timers.after(longest.plus(spread), () -> finish(self[0], query.get()));
        self[0] = new Waiting(key, session, since, query, caller, end[0]);
        waiting.add(self[0]);
    }

    void keysChanged(Set<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        for (Waiting each : List.copyOf(waiting)) {
            if (each.session().isEmpty() && keys.stream().anyMatch(key -> key.startsWith(each.key()))) {
                wake(each);
            }
        }
    }

    void sessionEnded(String id) {
        for (Waiting each : List.copyOf(waiting)) {
            if (each.session().equals(id)) {
                wake(each);
            }
        }
    }

    private void wake(Waiting each) {
        SimulatedReply now = each.query().get();
        if (now.index() > each.since()) {
            finish(each, now);
        }
    }

    /** A restore, a polite stop: what there is, changed or not. */
    void answerAll() {
        List.copyOf(waiting).forEach(each -> finish(each, each.query().get()));
    }

    /** A crash. */
    void cutAll() {
        for (Waiting each : List.copyOf(waiting)) {
            if (waiting.remove(each)) {
                each.end().cancel();
                each.caller().cut();
            }
        }
    }

    private void finish(Waiting each, SimulatedReply reply) {
        if (waiting.remove(each)) {
            each.end().cancel();
            each.caller().answered(reply);
        }
    }
}
