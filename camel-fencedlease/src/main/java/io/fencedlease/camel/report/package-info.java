/**
 * The sink report: which producers a leased route reaches, and what stands between them and a stale holder. Reads the
 * models of the routes; asks nobody, changes nothing.
 */
@NullMarked
package io.fencedlease.camel.report;

import org.jspecify.annotations.NullMarked;
