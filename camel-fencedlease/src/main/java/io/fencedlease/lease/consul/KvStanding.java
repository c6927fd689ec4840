package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.Optional;

/**
 * How a lease stands in Consul: what guarded transactions are checked against.
 *
 * @param session which session has the lock; empty if none
 * @param nonce of the acquisition that locked it; empty if none, or if a stranger wrote the lock's value
 */
public record KvStanding(LeaseName lease, String session, String nonce, Optional<ConsulMark> mark) {

    /** Whether the lock is held for this tenure and the tenure is published. */
    public boolean isOf(Tenure tenure) {
        return !session.isEmpty()
                && nonce.equals(tenure.nonce())
                && mark.filter(published -> published.isOf(tenure)).isPresent();
    }
}
