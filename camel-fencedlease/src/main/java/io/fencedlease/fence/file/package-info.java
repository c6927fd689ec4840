/** Files behind a fence: staged below the directory, published by one rename each. Local POSIX file systems only. */
@NullMarked
package io.fencedlease.fence.file;

import org.jspecify.annotations.NullMarked;
