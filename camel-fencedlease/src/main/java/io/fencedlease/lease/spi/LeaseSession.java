package io.fencedlease.lease.spi;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** One session of a {@link LeaseBackend}; carries any number of leases. Thread-safe; see there for how calls end. */
public interface LeaseSession {

    /** The service's identifier of the session. */
    String id();

    /** Extends the session by its TTL, from no earlier than the moment of the call. */
    CompletionStage<Renewal> renew();

    /**
     * Tries to take a lease. Repeated with the same nonce while it is ours it changes nothing and answers the same; with
     * another nonce it answers a higher token.
     */
    CompletionStage<Acquisition> acquire(LeaseName lease, String nonce);

    /**
     * Writes a tenure down as the latest of its lease, its mark, where receivers and fences of the same service can read
     * it; only while the lease's entry is this session's at this revision, and only upwards. So the service is the first
     * fence of every lease. Repeated for the same tenure it changes nothing.
     */
    CompletionStage<Publication> publish(Tenure tenure, long revision);

    /** Gives a lease back, only if it still has this revision. Starts no lock-delay. */
    CompletionStage<Release> release(LeaseName lease, long revision);

    /**
     * Who has each of these leases, by a read that no stale server can answer. A lease that could not be read this time,
     * though others could, is missing in the map: nothing is known about it.
     */
    CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases);

    /** Ends the session, also one that is gone already; its leases become free after the lock-delay. */
    CompletionStage<Void> destroy();

    /** Long polls that may wake the loop early. Empty if the service has none. */
    default List<Watch> watches() {
        return List.of();
    }

    /** A long poll. Its answer is a wake-up, never evidence; its silence or failure means nothing. */
    @FunctionalInterface
    interface Watch {
        /** Completes when something may have changed, or after the service's longest wait, or exceptionally. */
        CompletionStage<Void> next();

        /** Whether it watches the session itself rather than its leases: then a renewal tells what has happened. */
        default boolean ofSession() {
            return false;
        }
    }
}
