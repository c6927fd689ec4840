/**
 * Who may write: leases, their fencing tokens and the loop that keeps them.
 *
 * <p>The way in is {@link io.fencedlease.lease.Leases}. Nothing here knows Camel, HTTP or JDBC. A lease by itself does
 * <em>not</em> guarantee that two nodes never work at once: a paused holder wakes late. Only a fence that compares the
 * {@link io.fencedlease.lease.FencingToken} refuses its writes.
 */
@NullMarked
package io.fencedlease.lease;

import org.jspecify.annotations.NullMarked;
