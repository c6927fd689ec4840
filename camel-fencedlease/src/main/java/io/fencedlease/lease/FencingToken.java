package io.fencedlease.lease;

/**
 * A fencing token: the number of a tenure, strictly higher than that of every earlier tenure of the same lease.
 *
 * <p>Tokens of two leases do not compare. The order holds within one life of the coordination service; a rebuilt or
 * restored service can go backwards, which only a fence with memory notices. Immutable.
 *
 * @param value 64 bits, positive
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("fencing token: given " + value + ", allowed: above 0");
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
