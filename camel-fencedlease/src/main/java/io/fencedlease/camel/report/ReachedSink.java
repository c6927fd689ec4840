package io.fencedlease.camel.report;

/** A sink that one route reaches by one step: what it is to people, and the URI as it is, which may have secrets; empty if it is not known. */
record ReachedSink(ReportedSink shown, String uri) {}
