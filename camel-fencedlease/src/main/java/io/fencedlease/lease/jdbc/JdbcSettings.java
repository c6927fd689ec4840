package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How leases are kept in a database. Immutable.
 *
 * @param tablePrefix beginning of the table names, {@code fencedlease_} by default
 * @param createTables whether missing tables are created at first use; true by default
 * @param pollInterval the longest pause between two looks at the tables; 500 ms by default, less under a TTL below 5 s
 * @param threads how many calls may be in the database at a time, each with a connection of its own; 4 by default
 */
public record JdbcSettings(String tablePrefix, boolean createTables, Duration pollInterval, int threads) {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,29}");

    public static JdbcSettings defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings. */
    public static final class Builder {

        private String tablePrefix = "fencedlease_";
        private boolean createTables = true;
        private Duration pollInterval = Duration.ofMillis(500);
        private int threads = 4;

        private Builder() {}

        public Builder tablePrefix(String value) {
            tablePrefix = value;
            return this;
        }

        public Builder createTables(boolean value) {
            createTables = value;
            return this;
        }

        public Builder pollInterval(Duration value) {
            pollInterval = value;
            return this;
        }

        public Builder threads(int value) {
            threads = value;
            return this;
        }

        /** @throws SettingRefusedException if a setting cannot work */
        public JdbcSettings build() {
            check(
                    PREFIX.matcher(tablePrefix).matches(),
                    "tablePrefix",
                    tablePrefix,
                    "1 to 30 of A-Z a-z 0-9 _, beginning with a letter");
            check(pollInterval.toMillis() >= 10, "pollInterval", pollInterval, "10ms or more");
            check(threads >= 2 && threads <= 64, "threads", threads, "2 to 64");
            return new JdbcSettings(tablePrefix, createTables, pollInterval, threads);
        }

        private static void check(boolean good, String option, Object given, String allowed) {
            if (!good) {
                throw new SettingRefusedException("*", option, given, allowed);
            }
        }
    }
}
