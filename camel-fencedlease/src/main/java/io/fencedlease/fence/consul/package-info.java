/**
 * Fences in Consul's key-value store: writes that take effect only while the lease's lock and mark are the tenure's.
 *
 * <p>Does <em>not</em> cover writes by other clients, nor anything after a snapshot was restored until the next tenure.
 */
@NullMarked
package io.fencedlease.fence.consul;

import org.jspecify.annotations.NullMarked;
