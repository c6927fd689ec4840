package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases in Consul: a session with a TTL, and one locked key per lease.
 *
 * <p>Thread-safe; no call blocks. Token: index of the lock's transaction plus the number in the lease's generation key.
 * Rights needed: {@code session:write} on the agent's node, {@code key:write} on the prefix (which includes reading).
 *
 * <p>Does <em>not</em> guarantee that only the TTL ends a session: the end of the agent's node in the catalog does too.
 * Nor that tokens still grow after the cluster was rebuilt; fences notice, and {@link #openGeneration} mends it.
 */
public final class ConsulBackend implements LeaseBackend {

    private static final Logger LOG = LoggerFactory.getLogger(ConsulBackend.class);

    private final ConsulSettings settings;
    private final ConsulKeys keys;
    private final ConsulTransport transport;

    /** Connects when first asked for something. */
    public ConsulBackend(ConsulSettings settings) {
        this(settings, new ConsulHttp(settings));
    }

    /** Over another way to Consul. */
    ConsulBackend(ConsulSettings settings, ConsulTransport transport) {
        this.settings = settings;
        this.keys = new ConsulKeys(settings.keyPrefix());
        this.transport = transport;
    }

    @Override
    public String describe() {
        return settings.toString();
    }

    /**
     * For writes into the same Consul, by the same way and with the same token.
     *
     * @param limit how long one call may take
     */
    public KvTransactions transactions(Duration limit) {
        return new KvTransactions(transport, keys, limit);
    }

    /** Where this backend's Consul is. */
    public ConsulSettings settings() {
        return settings;
    }

    @Override
    public CompletionStage<LeaseSession> openSession(LeaseSettings times, String holder) {
        SessionRequest wanted = new SessionRequest(times, settings, holder);
        return Attempt.within(transport, times.attemptLimit(), attempt -> attempt.send(wanted.request())
                .thenApply(ConsulVerdicts::created)
                .thenCompose(id -> verified(attempt, wanted, id)
                        .thenApply(done -> new ConsulSession(transport, keys, times.attemptLimit(), holder, id))));
    }

    /** A renewal answers the session as stored, and unlike {@code session/info} it needs no right to read. */
    private CompletableFuture<Void> verified(Attempt attempt, SessionRequest wanted, String id) {
        return attempt.send(ConsulSession.renewRequest(id))
                .thenAccept(answer -> {
                    JsonNode stored = ConsulVerdicts.renewed(answer, id)
                            .orElseThrow(() -> ConsulVerdicts.fault(answer, "session:write"));
                    Optional<String> difference = wanted.difference(stored);
                    if (difference.isPresent()) {
                        throw new BackendRefusedException(difference.get());
                    }
                })
                .whenComplete((good, error) -> {
                    if (error != null) {
                        abandon(wanted, id);
                    }
                });
    }

    /** A session that nobody will use. If this fails as well, its TTL ends it. */
    private void abandon(SessionRequest wanted, String id) {
        Attempt.within(
                        transport,
                        wanted.times().attemptLimit(),
                        attempt -> attempt.send(ConsulSession.destroyRequest(id)))
                .whenComplete((answer, error) ->
                        LOG.debug("session {} given up: {}", id, error == null ? answer : error.toString()));
    }

    @Override
    public CompletionStage<Optional<Tenure>> published(LeaseName lease, Duration limit) {
        return Attempt.within(transport, limit, attempt -> MarkWriter.read(attempt, keys, lease)
                .thenApply(mark -> mark.map(m -> new Tenure(lease, new FencingToken(m.token()), m.nonce()))));
    }

    @Override
    public CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit) {
        return Attempt.within(
                transport, attemptLimit, attempt -> new GenerationWriter(attempt, keys).open(lease, highest));
    }

    @Override
    public void close() {
        transport.close();
    }
}
