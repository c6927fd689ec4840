package io.fencedlease.lease.spi;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /**
     * The tenure of a lease that was published last, also after its end, by a read that no stale server can answer; empty
     * if nobody ever published one. Needs no session.
     *
     * @param limit instead of the settings' attempt limit
     */
    default CompletionStage<Optional<Tenure>> published(LeaseName lease, Duration limit) {
        return CompletableFuture.failedFuture(
                new BackendRefusedException(describe() + " does not tell which tenure was published"));
    }

    /**
     * Makes every later acquisition of this lease answer a token above the highest that is known: what is passed here,
     * and what the service itself remembers. For a service that went backwards. Needs no session, touches no tenure that
     * is held, never lowers anything, and may be repeated. May lift the tokens of other leases, too.
     *
     * @param highest the highest token known from elsewhere; 0 if none
     * @return the number above which tokens go on; refused if that is beyond {@link NextGeneration#HIGHEST}
     */
    CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit);

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
