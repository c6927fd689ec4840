package io.fencedlease.fence;

import io.fencedlease.lease.Tenure;

/**
 * A fence refused a write: its mark is not the writer's. Nothing was written, and trying again is useless.
 *
 * <p>Does not say who is wrong: normally a later tenure has raised the fence; if the lease is still ours, the resource is
 * ahead of the coordination service, or has lost its memory ({@link #mark()} below {@link #token()}).
 */
public final class FencedOutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long token;
    private final long mark;

    /**
     * Says what a mark that is not higher than the token means.
     *
     * @param mark the token of the mark that refused; 0 if there is none
     */
    public FencedOutException(String resource, Tenure tenure, long mark) {
        this(resource, tenure, mark, meaning(mark, tenure.token().value()));
    }

    private static String meaning(long mark, long token) {
        if (mark < token) {
            return "the mark went backwards: was this fence not raised, or was its store restored or failed over?";
        }
        return mark == token ? "the same token of another tenure: the coordination service went backwards" : "";
    }

    /** @param detail what else is known about the mark, in a few words; may be empty */
    public FencedOutException(String resource, Tenure tenure, long mark, String detail) {
        super(resource + " refused a write of " + tenure + ": its mark is " + mark
                + (detail.isEmpty() ? "" : ", " + detail));
        this.resource = resource;
        this.token = tenure.token().value();
        this.mark = mark;
    }

    /** What refused, for people. */
    public String resource() {
        return resource;
    }

    /** The writer's token. */
    public long token() {
        return token;
    }

    /** The token of the mark. */
    public long mark() {
        return mark;
    }
}
