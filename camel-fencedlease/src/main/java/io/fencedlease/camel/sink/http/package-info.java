/** HTTP sinks, which cannot check a token: a key by which the receiver can recognise a repeat. */
@NullMarked
package io.fencedlease.camel.sink.http;

import org.jspecify.annotations.NullMarked;
