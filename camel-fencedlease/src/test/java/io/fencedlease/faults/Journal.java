package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.camel.FencingHeaders;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.support.SynchronizationAdapter;

/** What leased routes of several nodes in this JVM did, by one clock. Thread-safe. */
final class Journal {

    /** One run of a leased route. */
    record Tick(String node, long token, long nanos) {}

    private record Failure(String node, Exception why) {}

    private final Queue<Tick> ticks = new ConcurrentLinkedQueue<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    void tick(String node, Exchange exchange) {
        long token = exchange.getMessage().getHeader(FencingHeaders.TOKEN, Long.class);
        ticks.add(new Tick(node, token, System.nanoTime()));
        exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
            @Override
            public void onFailure(Exchange failed) {
                failures.add(new Failure(node, failed.getException()));
            }
        });
    }

    /** What the runs of this node failed with. */
    List<Exception> failures(String node) {
        return failures.stream()
                .filter(failure -> failure.node().equals(node))
                .map(Failure::why)
                .toList();
    }

    List<Tick> of(String node) {
        return ticks.stream().filter(tick -> tick.node().equals(node)).toList();
    }

    boolean ran(String node) {
        return !of(node).isEmpty();
    }

    /** Whether this node has run since a moment of {@link System#nanoTime()}. */
    boolean ranAfter(String node, long nanos) {
        return of(node).stream().anyMatch(tick -> tick.nanos() - nanos > 0);
    }

    Tick first(String node) {
        return of(node).get(0);
    }

    Tick last(String node) {
        List<Tick> all = of(node);
        return all.get(all.size() - 1);
    }

    /** The first run after a moment, of whichever node. */
    Tick firstAfter(long nanos) {
        return ticks.stream()
                .filter(tick -> tick.nanos() - nanos > 0)
                .min(Comparator.comparingLong(Tick::nanos))
                .orElseThrow();
    }

    /** The highest token that ran so far, 0 if none did. */
    long highestToken() {
        return ticks.stream().mapToLong(Tick::token).max().orElse(0);
    }

    /** Whether something ran under a higher token than this. */
    boolean ranAbove(long token) {
        return highestToken() > token;
    }

    /** Under which tokens something ran in the last while. */
    Set<Long> tokensWithin(Duration last) {
        long from = System.nanoTime() - last.toNanos();
        return ticks.stream()
                .filter(tick -> tick.nanos() - from > 0)
                .map(Tick::token)
                .collect(Collectors.toSet());
    }

    /** No run of an earlier tenure came after a run of a later one. */
    void assertNoOverlap() {
        List<Tick> inTime =
                ticks.stream().sorted(Comparator.comparingLong(Tick::nanos)).toList();
        assertThat(inTime).isSortedAccordingTo(Comparator.comparingLong(Tick::token));
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
