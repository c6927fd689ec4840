/**
 * What refuses: fences that compare a tenure with the mark of a resource. Nothing here knows Camel.
 */
@NullMarked
package io.fencedlease.fence;

import org.jspecify.annotations.NullMarked;
