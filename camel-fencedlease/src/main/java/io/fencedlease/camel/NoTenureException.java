package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An exchange without the right tenure reached a place that only a tenure may pass. Nothing was written. */
public final class NoTenureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int SHOWN = 40;

    private NoTenureException(String message) {
        super(message);
    }

    static NoTenureException none(String where) {
        return new NoTenureException(where + " refused an exchange without a tenure");
    }

    static NoTenureException none(LeaseName lease, String where) {
        return new NoTenureException("lease '" + lease + "': " + where
                + " refused an exchange without a tenure: it did not come through a route of this lease,"
                + " or the tenure was dropped by a new exchange");
    }

    static NoTenureException ofOther(LeaseName lease, String where, Tenure given) {
        return new NoTenureException(
                "lease '" + lease + "': " + where + " refused an exchange of another lease: " + given);
    }

    static NoTenureException notPublished(Tenure presented, String where, Optional<Tenure> published) {
        return new NoTenureException(where + " refused a message of " + presented
                + ", whose token and nonce nobody published; last published: "
                + published.map(Tenure::toString).orElse("none"));
    }

    static NoTenureException unfit(LeaseName lease, String where, String header, @Nullable Object given) {
        String shown = given instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(given);
        return new NoTenureException("lease '" + lease + "': " + where + " refused a message whose header " + header
                + " is " + (shown.length() > SHOWN ? shown.substring(0, SHOWN) + "..." : shown));
    }
}
