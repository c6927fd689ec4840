package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import org.apache.camel.Exchange;

/** Lets tests of other packages see under which lease an exchange runs. */
public final class TenureProbe {

    private TenureProbe() {}

    /** The lease of an exchange of a leased route. */
    public static Lease lease(Exchange exchange) {
        TenureStamp stamp = TenureStamp.of(exchange);
        if (stamp == null) {
            throw new IllegalStateException("no tenure on " + exchange);
        }
        return stamp.running().lease();
    }
}
