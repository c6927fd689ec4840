/**
 * What a coordination service must answer, as values. Backends implement it, {@link io.fencedlease.lease.Leases} asks.
 */
@NullMarked
package io.fencedlease.lease.spi;

import org.jspecify.annotations.NullMarked;
