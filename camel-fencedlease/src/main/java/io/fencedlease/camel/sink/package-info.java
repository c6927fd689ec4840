/** How each kind of sink gets behind its fence: chosen by the delegate's scheme, one sub-package for each technology. */
@NullMarked
package io.fencedlease.camel.sink;

import org.jspecify.annotations.NullMarked;
