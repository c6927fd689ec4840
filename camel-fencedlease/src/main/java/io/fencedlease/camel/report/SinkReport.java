package io.fencedlease.camel.report;

import io.fencedlease.lease.LeaseName;
import java.util.List;
import java.util.Optional;

/**
 * Which sinks the leased routes of a context reach now, as far as its models say. Immutable.
 *
 * <p>Does not look into code: a processor, a bean or an aggregation strategy may write anywhere.
 */
public record SinkReport(List<LeaseSinks> leases) {

    /** The part of one lease, if a route of the context runs under it. */
    public Optional<LeaseSinks> of(LeaseName lease) {
        return leases.stream().filter(sinks -> sinks.lease().equals(lease)).findFirst();
    }
}
