package io.fencedlease.lease.consul;

/** What becomes of the lock-delays that a new leader should know. */
public enum LockDelays {
    /** It was there when they began. */
    KEPT,
    /** It was started from a snapshot taken later. */
    FORGOTTEN,
    /** It replayed the log: each of them begins afresh, even one that is over. */
    RESTARTED
}
