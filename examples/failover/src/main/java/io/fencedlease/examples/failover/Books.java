package io.fencedlease.examples.failover;

import java.math.BigDecimal;
import java.util.List;

/** What the database holds: what was to be closed, and what was written. */
record Books(int invoices, int batches, BigDecimal total, List<Entry> ledger) {}
