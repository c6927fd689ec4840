package io.fencedlease.examples.failover;

import java.math.BigDecimal;

/** A row of the ledger: one accepted write. Entries are numbered in the order of their writing. */
record Entry(long number, int batch, String node, long token, BigDecimal total) {}
