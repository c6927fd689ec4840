/**
 * Leases in a relational database you already have: PostgreSQL, MariaDB, MySQL 8 or H2.
 *
 * <p>{@link io.fencedlease.lease.jdbc.JdbcBackend} is the way in. No clock of the database is read: a candidate ends a
 * session that it has seen unrenewed for the session's TTL by its own monotonic clock. No lock is held from one statement
 * to the next, so a client that is paused at any point blocks nobody. Not for a database with several primaries, nor one
 * that fails over to a replica that may lack acknowledged commits: there a token can repeat.
 */
@NullMarked
package io.fencedlease.lease.jdbc;

import org.jspecify.annotations.NullMarked;
