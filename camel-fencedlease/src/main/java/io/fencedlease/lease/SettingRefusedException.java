package io.fencedlease.lease;

/** A setting that cannot work: thrown at construction, with the lease, the option, what was given and what is allowed. */
public final class SettingRefusedException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param lease the lease's name, or {@code *} where a setting is meant for every lease */
    public SettingRefusedException(String lease, String option, Object given, String allowed) {
        super("lease '" + lease + "': option " + option + " refused, given: " + given + ", allowed: " + allowed);
    }
}
