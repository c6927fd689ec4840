/** Idempotent repositories that only the tenure may change: every operation passes the lease's fence first. */
@NullMarked
package io.fencedlease.camel.idempotent;

import org.jspecify.annotations.NullMarked;
