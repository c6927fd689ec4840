package io.fencedlease.camel.idempotent;

import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.lease.Tenure;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the running tenure as this node knows them: on which of them somebody works, and of which an add or remove failed
 * with its outcome unknown. An entry of ours that is found under one of the latter is nobody's work, and the next add may
 * have it. Without this, a message that is delivered again would pass for a duplicate. Thread-safe.
 */
final class OwnKeys {

    /** Of each kind; beyond that the oldest are forgotten. */
    private static final int MOST = 10_000;

    private final Set<String> atWork = new LinkedHashSet<>();
    private final Set<String> unsure = new LinkedHashSet<>();
    private @Nullable Tenure tenure;

    /** Whether the work is the caller's, who found that. */
    synchronized boolean mayWork(Tenure of, String key, Found found) {
        renew(of);
        boolean nobodys = unsure.remove(key);
        boolean may =
                switch (found) {
                    case NEW, HALF_DONE -> true;
                    case OURS -> nobodys;
                    case CONFIRMED -> false;
                };
        if (may) {
            put(atWork, key);
        }
        return may;
    }

    /** The work is over. */
    synchronized void done(Tenure of, String key) {
        renew(of);
        atWork.remove(key);
    }

    /** The outcome is unknown; if somebody works on the key, it is theirs all the same. */
    synchronized void unsure(Tenure of, String key) {
        renew(of);
        if (!atWork.contains(key)) {
            put(unsure, key);
        }
    }

    private void renew(Tenure of) {
        if (!of.equals(tenure)) {
            tenure = of;
            atWork.clear();
            unsure.clear();
        }
    }

    private static void put(Set<String> keys, String key) {
        keys.add(key);
        if (keys.size() > MOST) {
            keys.remove(keys.iterator().next());
        }
    }
}
