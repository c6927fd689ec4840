package io.fencedlease.fence.sql;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;

/**
 * How a {@link SqlFence} behaves. Immutable.
 *
 * @param raiseTimeout how long a raise waits for writes in flight before it ends their database session; 1 s to 10 min,
 *     default 5 s
 * @param evict whether a raise may end the database session that blocks it; default true
 * @param createTables whether missing tables are created; default true
 * @param lock what a guarded write does to the mark's row
 */
public record SqlFenceOptions(Duration raiseTimeout, boolean evict, boolean createTables, Lock lock) {

    /** What a guarded write does to the mark's row. */
    public enum Lock {
        /** Locks it for reading: a holder's writers run side by side. For databases with one primary. */
        SHARE,
        /** Writes it: one writer at a time, and seen by databases that certify only written rows. */
        UPDATE
    }

    /** 5 s, evict, create tables, share. */
    public static SqlFenceOptions defaults() {
        return new SqlFenceOptions(Duration.ofSeconds(5), true, true, Lock.SHARE);
    }

    void check(LeaseName lease) {
        if (raiseTimeout.compareTo(Duration.ofSeconds(1)) < 0 || raiseTimeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new SettingRefusedException(
                    lease.value(), "fence.raiseTimeout", raiseTimeout.toMillis() + "ms", "1s to 10m");
        }
    }

    public SqlFenceOptions withRaiseTimeout(Duration value) {
        return new SqlFenceOptions(value, evict, createTables, lock);
    }

    public SqlFenceOptions withEvict(boolean value) {
        return new SqlFenceOptions(raiseTimeout, value, createTables, lock);
    }

    public SqlFenceOptions withCreateTables(boolean value) {
        return new SqlFenceOptions(raiseTimeout, evict, value, lock);
    }

    public SqlFenceOptions withLock(Lock value) {
        return new SqlFenceOptions(raiseTimeout, evict, createTables, value);
    }
}
