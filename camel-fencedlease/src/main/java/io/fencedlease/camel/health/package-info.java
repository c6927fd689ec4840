/** Health checks for Camel's registry. Only read reports: nothing is created, renewed or ended by asking. */
@NullMarked
package io.fencedlease.camel.health;

import org.jspecify.annotations.NullMarked;
