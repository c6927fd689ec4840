/** The JDBC backend against real databases; time is a {@code FakeTicker}'s where a test need not wait. */
@NullMarked
package io.fencedlease.lease.jdbc;

import org.jspecify.annotations.NullMarked;
