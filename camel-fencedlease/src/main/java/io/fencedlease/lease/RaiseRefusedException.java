package io.fencedlease.lease;

/**
 * A fence refused to be raised: its mark is higher than the tenure's token, or equal with another nonce.
 *
 * <p>Says nothing yet about who is wrong. If a consistent read shows that the lease is another's, it is an ordinary
 * loss; if it is still ours, the coordination service has gone backwards (token regression).
 */
public final class RaiseRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long mark;

    /** @param mark the token of the mark that refused */
    public RaiseRefusedException(String resource, Tenure tenure, long mark) {
        super(resource + " refused to be raised for " + tenure + ": its mark is " + mark
                + (mark == tenure.token().value() ? " of another tenure" : ""));
        this.resource = resource;
        this.mark = mark;
    }

    /** What refused, for people. */
    public String resource() {
        return resource;
    }

    /** The token of the mark. */
    public long mark() {
        return mark;
    }
}
