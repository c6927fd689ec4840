/** What fences cost, as ratios from one run; run by name, never by default. */
@NullMarked
package io.fencedlease.benchmark;

import org.jspecify.annotations.NullMarked;
