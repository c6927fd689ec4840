package io.fencedlease.camel.report;

import io.fencedlease.lease.LeaseName;
import java.util.Map;
import java.util.Optional;

/**
 * A {@code fencedlease:} URI, cut.
 *
 * @param fence the options of the fence, without prefix
 */
public record LeasedUri(LeaseName lease, String delegate, Map<String, String> fence) {

    /** Knows how such URIs are written. */
    @FunctionalInterface
    public interface Cutter {
        /** Empty if it is not one, or not well-formed. */
        Optional<LeasedUri> cut(String uri);
    }
}
