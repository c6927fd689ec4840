/** A fence of one's own, for something that camel-fencedlease knows nothing about: files in a git repository. */
@NullMarked
package io.fencedlease.examples.ownfence;

import org.jspecify.annotations.NullMarked;
