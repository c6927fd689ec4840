package io.fencedlease.lease.spi;

import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A coordination service, as the lease loop needs it.
 *
 * <p>All calls return at once; their stages complete on any thread, and no later than the settings' attempt limit
 * (watches excepted). They fail only with {@link BackendUnavailableException} (unknown) or {@link
 * BackendRefusedException} (configuration); whatever else comes out is taken for unknown.
 */
public interface LeaseBackend extends AutoCloseable {

    /** Which service, where, for people; without secrets. */
    String describe();

    /**
     * Creates a session with the settings' TTL and lock-delay.
     *
     * @param holder who this node is, for people; written beside each lease acquired
     */
    CompletionStage<LeaseSession> openSession(LeaseSettings settings, String holder);

    /** How often to read if the service cannot wake us by {@link LeaseSession#watches()}; empty if it can. */
    default Optional<Duration> pollInterval(LeaseSettings settings) {
        return Optional.empty();
    }

    /** The longest time from a holder's crash to the next acquisition, as long as the service itself does not fail. */
    default Duration failoverBound(LeaseSettings settings) {
        return settings.failoverBound();
    }

    /** Ends connections and watches; sessions are left as they are. Idempotent. */
    @Override
    void close();
}
