package io.fencedlease.lease.consul;

import io.fencedlease.lease.Ticker;
import java.util.HashMap;
import java.util.Map;

/** Which key is in lock-delay: in no snapshot, and kept by each server for itself. */
final class SimulatedDelays {

    private static final long MOST = 60_000_000_000L;

    /** Every delay that was ever set: a replayed log sets them all again, also those long over. */
    private record Delay(long length, long until) {}

    private final Ticker ticker;
    private final Map<String, Delay> delays = new HashMap<>();

    SimulatedDelays(Ticker ticker) {
        this.ticker = ticker;
    }

    void start(String key, long length) {
        if (length > 0) {
            long applied = Math.min(length, MOST);
            delays.put(key, new Delay(applied, ticker.nanos() + applied));
        }
    }

    boolean shut(String key) {
        Delay delay = delays.get(key);
        return delay != null && ticker.nanos() < delay.until();
    }

    void apply(LockDelays fate) {
        if (fate == LockDelays.FORGOTTEN) {
            delays.clear();
        } else if (fate == LockDelays.RESTARTED) {
            delays.replaceAll((key, delay) -> new Delay(delay.length(), ticker.nanos() + delay.length()));
        }
    }
}
