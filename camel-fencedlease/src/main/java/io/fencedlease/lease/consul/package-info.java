/**
 * Leases on Consul sessions and locked keys; the only package that speaks HTTP to Consul.
 *
 * <p>The way in is {@link io.fencedlease.lease.consul.ConsulBackend}. A token is the index of the transaction that
 * locked the key, plus the offset in the lease's generation key. It grows for as long as the Consul cluster lives; a
 * cluster that is rebuilt starts again below, which only a fence with memory notices.
 */
@NullMarked
package io.fencedlease.lease.consul;

import org.jspecify.annotations.NullMarked;
