package io.fencedlease.lease.jdbc;

import java.time.Duration;

/** A session as its row shows it. */
record SessionRow(String id, long renewals, Duration ttl, String holder) {}
