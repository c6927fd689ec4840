package io.fencedlease.lease.consul;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 30000ms}, {@code 1h30m}, {@code 1.5s}. */
final class GoDuration {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final Map<String, Duration> UNITS = Map.of(
            "h",
            Duration.ofHours(1),
            "m",
            Duration.ofMinutes(1),
            "s",
            Duration.ofSeconds(1),
            "ms",
            Duration.ofMillis(1));

    private GoDuration() {}

    /** Empty for text that is no duration of these units. */
    static Optional<Duration> parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            BigDecimal nanos = new BigDecimal(part.group(1))
                    .multiply(BigDecimal.valueOf(UNITS.get(part.group(2)).toNanos()));
            sum = sum.plusNanos(nanos.longValue());
        }
        return Optional.of(sum);
    }
}
