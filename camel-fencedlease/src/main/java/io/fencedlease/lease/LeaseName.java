package io.fencedlease.lease;

import java.util.regex.Pattern;

/**
 * The name of a lease: 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit.
 *
 * <p>So restricted that it is the same text in a Consul key, a table row, a URI and a folder name.
 */
public record LeaseName(String value) implements Comparable<LeaseName> {

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    /** @throws SettingRefusedException if the name is not of that form */
    public LeaseName {
        if (!LEGAL.matcher(value).matches() || value.contains("..")) {
            throw new SettingRefusedException(
                    value,
                    "leaseName",
                    value,
                    "1 to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, without \"..\"");
        }
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
