package io.fencedlease.camel;

import org.apache.camel.Processor;

/** Steps for those who write row tokens through a plain endpoint. */
public final class FencedWrites {

    private FencedWrites() {}

    /**
     * The step right after a plain {@code sql:UPDATE .. WHERE .. AND fencing_token <= :#FencingToken}: throws {@link
     * io.fencedlease.fence.NoRowWrittenException} if that changed no row, {@link NoTenureException} if the exchange has no
     * tenure, {@link IllegalStateException} where it is not the next step of the same block, or that has {@code batch=true}.
     */
    public static Processor requireRowUpdated() {
        return new RowUpdated();
    }
}
