package io.fencedlease.lease.spi;

/**
 * The session is dead for certain, and with it all of its leases.
 *
 * @param detail the service's own words
 */
public record SessionGone(String detail) implements Renewal, Acquisition {}
