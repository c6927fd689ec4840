package io.fencedlease.lease;

/**
 * A tenure: one uninterrupted time of holding a lease, as fences know it.
 *
 * <p>The nonce tells two tenures apart that carry equal tokens, which happens only when the coordination service went
 * backwards.
 */
public record Tenure(LeaseName lease, FencingToken token, String nonce) {

    @Override
    public String toString() {
        return "lease '" + lease + "' token " + token;
    }
}
