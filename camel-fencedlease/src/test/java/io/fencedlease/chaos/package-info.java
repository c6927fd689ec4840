/** Real processes under a seeded nemesis; what they wrote is judged afterwards. */
@NullMarked
package io.fencedlease.chaos;

import org.jspecify.annotations.NullMarked;
