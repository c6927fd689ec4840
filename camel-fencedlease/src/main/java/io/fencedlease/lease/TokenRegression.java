package io.fencedlease.lease;

/**
 * A fence remembers a later tenure than the one that the coordination service gave last and confirms: the service went
 * backwards. Nothing starts under this tenure, and the lease is kept, because every other node would meet the same fence.
 *
 * @param resource what refused, for people
 * @param mark the token that it remembers
 * @param forgotten whether the service had no mark of the lease at all: it was wiped or rebuilt, or never had the lease
 */
public record TokenRegression(Tenure tenure, String resource, long mark, boolean forgotten) {

    /** The token that the service gave. */
    public long token() {
        return tenure.token().value();
    }

    /** What to do, for people. */
    public String remedy() {
        return "make sure that every node asks this very service, then call openGeneration for lease '" + tenure.lease()
                + "' on this node: its tokens go on above " + Math.max(mark, token());
    }

    /** Both numbers, what happened and the remedy, on one line. */
    @Override
    public String toString() {
        return "token regression: " + tenure + " is ours, as the service confirms, but " + resource + " has seen "
                + mark
                + (mark == token() ? " under another tenure" : "") + ". The service went backwards ("
                + (forgotten ? "it knew nothing of this lease: wiped or rebuilt?" : "restored from a backup?")
                + "), or another service uses this fence. Nothing starts, the lease is kept. Remedy: " + remedy();
    }
}
