/** Documentation that is run. */
@NullMarked
package io.fencedlease.documentation;

import org.jspecify.annotations.NullMarked;
