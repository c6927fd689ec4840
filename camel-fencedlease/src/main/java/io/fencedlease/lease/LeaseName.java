package io.fencedlease.lease;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lease: 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit.
 *
 * <p>So restricted that it is the same text in a Consul key, a table row, a URI and a folder name.
 */
public record LeaseName(String value) implements Comparable<LeaseName> {

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    /** @throws SettingRefusedException if the name is not of that form */
    public LeaseName {
        check(String.valueOf(value), "leaseName", value);
    }

    /**
     * The same rules for other names that stand beside a lease's.
     *
     * @throws SettingRefusedException if the text is no such name
     */
    public static String check(String lease, String option, @Nullable String given) {
        if (given == null || !LEGAL.matcher(given).matches() || given.contains("..")) {
            throw new SettingRefusedException(
                    lease,
                    option,
                    String.valueOf(given),
                    "1 to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, without \"..\"");
        }
        return given;
    }

    @Override
    public int compareTo(LeaseName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
