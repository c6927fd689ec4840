/**
 * The failover demo: a director that starts real nodes, pauses them at chosen points, and judges what they wrote.
 */
@NullMarked
package io.fencedlease.examples.failover;

import org.jspecify.annotations.NullMarked;
