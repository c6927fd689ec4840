@NullMarked
package io.fencedlease.lease.consul;

import org.jspecify.annotations.NullMarked;
