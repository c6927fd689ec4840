/** Real servers as child processes, and what can go wrong between them and us. Everything listens on loopback only. */
@NullMarked
package io.fencedlease.faults;

import org.jspecify.annotations.NullMarked;
