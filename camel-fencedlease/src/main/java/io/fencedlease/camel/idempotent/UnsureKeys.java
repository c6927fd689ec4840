package io.fencedlease.camel.idempotent;

import io.fencedlease.lease.Tenure;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the running tenure whose add or remove failed with its outcome unknown: an entry of ours that is found under
 * such a key is nobody's work, and the next add may have it. Without this, a message that is delivered again would pass
 * for a duplicate. Thread-safe.
 */
final class UnsureKeys {

    /** One for each failure that was not tried again; beyond that the oldest are forgotten. */
    private static final int MOST = 10_000;

    private final Set<String> keys = new LinkedHashSet<>();
    private @Nullable Tenure tenure;

    synchronized void put(Tenure of, String key) {
        if (!of.equals(tenure)) {
            tenure = of;
            keys.clear();
        }
        keys.add(key);
        if (keys.size() > MOST) {
            keys.remove(keys.iterator().next());
        }
    }

    /** Whether it was unsure; it is not any more. */
    synchronized boolean settle(Tenure of, String key) {
        return of.equals(tenure) && keys.remove(key);
    }
}
