/** Consul's keys behind a fence. Needs camel-consul; loaded only for delegates of that scheme. */
@NullMarked
package io.fencedlease.camel.sink.consul;

import org.jspecify.annotations.NullMarked;
