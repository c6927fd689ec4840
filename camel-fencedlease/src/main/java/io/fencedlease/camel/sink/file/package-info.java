/** The {@code file:} producer behind a fence. */
@NullMarked
package io.fencedlease.camel.sink.file;

import org.jspecify.annotations.NullMarked;
