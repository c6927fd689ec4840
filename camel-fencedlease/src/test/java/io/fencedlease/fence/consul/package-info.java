@NullMarked
package io.fencedlease.fence.consul;

import org.jspecify.annotations.NullMarked;
