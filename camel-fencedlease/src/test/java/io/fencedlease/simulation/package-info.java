/** The lease loop in virtual time under a seeded nemesis, and the checker of what it promises. */
@NullMarked
package io.fencedlease.simulation;

import org.jspecify.annotations.NullMarked;
