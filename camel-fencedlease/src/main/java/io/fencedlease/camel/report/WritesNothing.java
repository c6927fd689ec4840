package io.fencedlease.camel.report;

/** A processor that only looks: the report leaves it out. */
public interface WritesNothing {}
