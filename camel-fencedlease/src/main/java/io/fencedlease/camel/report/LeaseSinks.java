package io.fencedlease.camel.report;

import io.fencedlease.lease.LeaseName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The sinks that the routes of one lease reach. Immutable.
 *
 * @param sinks in the order of {@link SinkClass}
 * @param warnings about consumers, one line each
 */
public record LeaseSinks(LeaseName lease, List<ReportedSink> sinks, List<String> warnings, Overlap overlap) {

    /**
     * How long an old holder goes on after it has learnt that its lease is lost.
     *
     * @param bound what the settings allow, unless the process is paused or a step blocks
     * @param measured the longest on this node since its context started; empty before the first loss
     */
    public record Overlap(Duration bound, Optional<Duration> measured) {
        @Override
        public String toString() {
            return "an old holder goes on for at most " + bound.toMillis()
                    + " ms after it learns of its loss, without limit if it is paused or a step blocks; measured: "
                    + measured.map(worst -> worst.toMillis() + " ms at worst").orElse("not yet");
        }
    }

    /** The sinks of which nothing is known to hold a stale write back. */
    public List<ReportedSink> open() {
        return sinks.stream().filter(sink -> sink.kind().isOpen()).toList();
    }

    /** One block, for people. */
    public String text() {
        String lines = sinks.stream()
                .map(sink -> "\n  " + sink + (sink.kind() == SinkClass.ACCEPTED_RISK ? "; " + overlap : ""))
                .collect(Collectors.joining());
        return "lease '" + lease + "' sinks:" + (lines.isEmpty() ? " none" : lines);
    }
}
