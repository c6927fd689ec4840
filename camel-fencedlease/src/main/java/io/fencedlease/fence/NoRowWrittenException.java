package io.fencedlease.fence;

import io.fencedlease.lease.Tenure;

/**
 * A row-token statement changed no row: either a higher token is in the row, or there is no such row. Which of the two is
 * unknown unless a check statement is configured.
 */
public final class NoRowWrittenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NoRowWrittenException(String resource, Tenure tenure) {
        this(resource, tenure, "fenced out or no such row");
    }

    /** @param why what is known about the reason, in a few words */
    public NoRowWrittenException(String resource, Tenure tenure, String why) {
        super(resource + " wrote no row for " + tenure + ": " + why);
    }
}
