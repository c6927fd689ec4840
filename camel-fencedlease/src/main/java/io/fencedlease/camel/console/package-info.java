/** Camel's developer console: a page that reads what a node knows about its leases and sinks. */
@NullMarked
package io.fencedlease.camel.console;

import org.jspecify.annotations.NullMarked;
