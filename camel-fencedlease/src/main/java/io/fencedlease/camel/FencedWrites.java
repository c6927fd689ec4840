package io.fencedlease.camel;

import io.fencedlease.fence.NoRowWrittenException;
import org.apache.camel.Processor;

/** Steps for those who write row tokens through a plain endpoint. */
public final class FencedWrites {

    private static final String UPDATE_COUNT = "CamelSqlUpdateCount";

    private FencedWrites() {}

    /**
     * A step after a plain {@code sql:UPDATE .. WHERE .. AND fencing_token <= :#FencingToken}: throws {@link
     * NoRowWrittenException} if it changed no row, {@link NoTenureException} if the exchange has no tenure.
     */
    public static Processor requireRowUpdated() {
        return exchange -> {
            Integer rows = exchange.getMessage().getHeader(UPDATE_COUNT, Integer.class);
            TenureStamp stamp = TenureStamp.of(exchange);
            if (stamp == null) {
                throw NoTenureException.none("requireRowUpdated()");
            }
            if (rows == null || rows <= 0) {
                throw new NoRowWrittenException("the statement before requireRowUpdated()", stamp.tenure());
            }
        };
    }
}
