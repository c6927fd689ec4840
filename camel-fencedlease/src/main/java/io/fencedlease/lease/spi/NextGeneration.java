package io.fencedlease.lease.spi;

import io.fencedlease.lease.LeaseName;

/** Where tokens go on after a generation was opened: the same rule for every backend. */
public final class NextGeneration {

    /** Above this, numbers are not exact any more where they pass through JSON or a double. */
    public static final long HIGHEST = 1L << 53;

    /** For tenures that had a mark which nobody reached when the generation was opened. */
    public static final long MARGIN = 1_000_000;

    private NextGeneration() {}

    /**
     * The number from which tokens have to go on.
     *
     * @param highest the highest token known to have been given
     * @throws BackendRefusedException if that is too high to be one of ours
     */
    public static long above(LeaseName lease, long highest) {
        if (highest > HIGHEST - MARGIN) {
            throw new BackendRefusedException("lease '" + lease + "' openGeneration refused, given: " + highest
                    + ", allowed: up to " + (HIGHEST - MARGIN) + "; no service of ours gave such a token: find out who"
                    + " wrote that mark, and repair it");
        }
        return highest + MARGIN;
    }
}
