/** SQL behind a fence: guarded transactions, row tokens, and the guard of a transaction that is already running. */
@NullMarked
package io.fencedlease.camel.sink.sql;

import org.jspecify.annotations.NullMarked;
