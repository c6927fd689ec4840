package io.fencedlease.lease;

/**
 * A tenure: one uninterrupted time of holding a lease, as fences know it.
 *
 * <p>The nonce tells two tenures apart that carry equal tokens, which happens only when the coordination service went
 * backwards.
 */
public record Tenure(LeaseName lease, FencingToken token, String nonce) {

    /**
     * Stands before everything that compares tokens: those of two leases do not compare.
     *
     * @param where what the tenure is presented to, for people
     * @throws IllegalArgumentException naming both leases, if it is a tenure of another one
     */
    public void requireLease(LeaseName expected, String where) {
        if (!lease.equals(expected)) {
            throw new IllegalArgumentException(this + " presented to the fence of lease '" + expected + "' in " + where
                    + ": tokens of two leases do not compare");
        }
    }

    @Override
    public String toString() {
        return "lease '" + lease + "' token " + token;
    }
}
