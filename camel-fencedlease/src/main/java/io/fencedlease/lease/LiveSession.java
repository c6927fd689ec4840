package io.fencedlease.lease;

import io.fencedlease.lease.spi.LeaseSession;

/** A session with the deadline until which it is believed to live. */
record LiveSession(LeaseSession session, Deadline deadline) {}
