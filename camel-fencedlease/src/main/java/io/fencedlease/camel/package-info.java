/**
 * How Camel routes obey a lease: consumers and route policies that run only under a tenure, the stamp that carries it with
 * every exchange, and producers that write through a fence.
 */
@NullMarked
package io.fencedlease.camel;

import org.jspecify.annotations.NullMarked;
