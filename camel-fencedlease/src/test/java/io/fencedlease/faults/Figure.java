package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A figure of docs/testing.md: measured several times, printed, and its median held to its bound. Thread-safe. */
public final class Figure {

    private static final Logger LOG = LoggerFactory.getLogger(Figure.class);

    private final String what;
    private final Duration bound;
    private final List<Long> micros = new CopyOnWriteArrayList<>();

    public Figure(String what, Duration bound) {
        this.what = what;
        this.bound = bound;
    }

    /** From and to are of {@link System#nanoTime()}. */
    public void measured(long from, long to) {
        micros.add((to - from) / 1_000);
    }

    /** Fails if the median is above the bound. */
    public void hold() {
        List<Long> sorted = micros.stream().sorted().toList();
        assertThat(sorted).as(what).isNotEmpty();
        Duration median = Duration.ofNanos(sorted.get(sorted.size() / 2) * 1_000);
        LOG.info(
                "figure: {}: median {} ms, allowed {} ms ({} measured, {} to {} ms)",
                what,
                median.toNanos() / 100_000 / 10.0,
                bound.toMillis(),
                sorted.size(),
                sorted.get(0) / 1_000,
                sorted.get(sorted.size() - 1) / 1_000);
        assertThat(median).as(what).isLessThanOrEqualTo(bound);
    }
}
