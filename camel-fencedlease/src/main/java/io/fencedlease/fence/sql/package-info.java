/**
 * Fences in SQL databases: a mark per lease and database that guarded transactions lock and compare, and the check of
 * statements that carry the token in their own rows.
 *
 * <p>Does <em>not</em> cover writes over a second connection, in a suspended transaction ({@code REQUIRES_NEW}), or to a
 * database whose row locks are local to one of several primaries.
 */
@NullMarked
package io.fencedlease.fence.sql;

import org.jspecify.annotations.NullMarked;
