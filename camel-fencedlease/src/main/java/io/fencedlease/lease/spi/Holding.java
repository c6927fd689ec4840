package io.fencedlease.lease.spi;

/** Who has a lease, by a consistent read. */
public sealed interface Holding permits Holding.Free, Holding.Held {

    /** Nobody; it may still be shut by lock-delay. */
    record Free() implements Holding {}

    /**
     * A session has it.
     *
     * @param nonce the nonce of the acquisition; empty if the entry was overwritten by a stranger
     * @param holder for people; may be empty
     */
    record Held(String session, long revision, String nonce, String holder) implements Holding {}
}
