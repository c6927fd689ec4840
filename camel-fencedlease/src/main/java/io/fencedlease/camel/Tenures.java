package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import org.apache.camel.Exchange;

/** The check at each fenced producer. */
final class Tenures {

    private Tenures() {}

    /**
     * The lease that an exchange runs under, if it may write for this one.
     *
     * @throws NoTenureException if it has none, or one of another lease
     * @throws io.fencedlease.lease.LeaseLostException if its tenure is over
     */
    static Lease required(Exchange exchange, LeaseName lease, Object where) {
        TenureStamp stamp = TenureStamp.of(exchange);
        if (stamp == null) {
            throw NoTenureException.none(lease, where.toString());
        }
        if (!stamp.tenure().lease().equals(lease)) {
            throw NoTenureException.ofOther(lease, where.toString(), stamp.tenure());
        }
        // a producer may be called where no interceptor has been
        stamp.restoreHeaders(exchange);
        Lease held = stamp.running().lease();
        held.ensureHeld();
        return held;
    }
}
