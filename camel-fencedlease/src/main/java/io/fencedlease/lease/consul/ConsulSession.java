package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Consul session. */
final class ConsulSession implements LeaseSession {

    private static final Logger LOG = LoggerFactory.getLogger(ConsulSession.class);

    private final ConsulTransport transport;
    private final ConsulKeys keys;
    private final Duration limit;
    private final String holder;
    private final String id;
    private final List<ConsulWatch> watches;

    /** What each lock was last asked for with: an unlock writes the value again. */
    private final Map<LeaseName, String> values = new ConcurrentHashMap<>();

    ConsulSession(ConsulTransport transport, ConsulKeys keys, Duration limit, String holder, String id) {
        this.transport = transport;
        this.keys = keys;
        this.limit = limit;
        this.holder = holder;
        this.id = id;
        // folders, not keys: the answer's size does not grow with the number of leases
        String list = "key:list on \"" + keys.root() + "\"";
        this.watches = List.of(
                new ConsulWatch(transport, "kv/" + keys.root(), "keys&separator=/", list, ConsulWatch.WAIT),
                new ConsulWatch(transport, "session/info/" + id, "", "session:read", ConsulWatch.WAIT));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public CompletionStage<Renewal> renew() {
        return within(attempt -> attempt.send(renewRequest(id)).thenApply(answer -> {
            Renewal renewal = ConsulVerdicts.renewal(answer, id);
            if (renewal instanceof SessionGone) {
                endWatches();
            }
            return renewal;
        }));
    }

    /** Without any consistency parameter: with {@code stale} a follower would answer 200 and renew nothing. */
    static ConsulRequest renewRequest(String id) {
        return ConsulRequest.put("session/renew/" + id, "");
    }

    static ConsulRequest destroyRequest(String id) {
        return ConsulRequest.put("session/destroy/" + id, "");
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseName lease, String nonce) {
        String value = new LockValue(nonce, holder).text();
        values.put(lease, value);
        return within(attempt -> lock(attempt, lease, value)
                .thenCompose(answer -> answer.isPresent()
                        ? CompletableFuture.completedFuture(answer)
                        : createGeneration(attempt, lease).thenCompose(done -> lock(attempt, lease, value)))
                .thenCompose(answer -> explained(
                        attempt,
                        lease,
                        answer.orElseThrow(() -> new BackendUnavailableException(
                                keys.generation(lease) + " vanished as soon as it was created")))));
    }

    private CompletableFuture<Optional<Acquisition>> lock(Attempt attempt, LeaseName lease, String value) {
        String key = keys.lease(lease);
        String generation = keys.generation(lease);
        ConsulRequest request =
                new ConsulTxn().lock(key, value, id).get(generation).request();
        return attempt.send(request).thenApply(answer -> ConsulVerdicts.acquisition(answer, id, key, generation));
    }

    /** {@code false} is as good as {@code true}: somebody was faster. */
    private CompletableFuture<Void> createGeneration(Attempt attempt, LeaseName lease) {
        String key = keys.generation(lease);
        return MarkWriter.read(attempt, keys, lease)
                .thenCompose(mark -> {
                    mark.ifPresent(m -> LOG.warn(
                            "lease '{}' has the mark {} but no key {}: wiped? Tokens start anew; if one is below the mark,"
                                    + " nothing starts under it",
                            lease,
                            m.token(),
                            key));
                    return attempt.send(new ConsulRequest("PUT", "kv/" + key, "cas=0", "0", true));
                })
                .thenAccept(answer -> ConsulVerdicts.written(answer, ConsulVerdicts.keyRight("write", key)));
    }

    private CompletableFuture<Acquisition> explained(Attempt attempt, LeaseName lease, Acquisition answer) {
        if (answer instanceof Acquisition.HeldElsewhere) {
            return withHolder(attempt, lease, answer);
        }
        return answer instanceof Acquisition.LockDelayed
                ? sessionChecked(attempt, answer)
                : CompletableFuture.completedFuture(answer);
    }

    /** The refusal does not say who has the lock. A failure to find out harms nothing. */
    private CompletableFuture<Acquisition> withHolder(Attempt attempt, LeaseName lease, Acquisition answer) {
        return new ConsulReader(attempt, keys).read(List.of(lease)).handle((holdings, error) -> {
            boolean known = error == null && holdings.get(lease) instanceof Holding.Held;
            return known ? new Acquisition.HeldElsewhere(((Holding.Held) holdings.get(lease)).holder()) : answer;
        });
    }

    /** Inside lock-delay Consul does not look at the session, which may have died with the very key; a renewal tells. */
    private CompletableFuture<Acquisition> sessionChecked(Attempt attempt, Acquisition answer) {
        return attempt.send(renewRequest(id))
                .thenApply(renewed -> ConsulVerdicts.renewal(renewed, id))
                .handle((renewal, error) -> renewal instanceof SessionGone gone ? gone : answer);
    }

    @Override
    public CompletionStage<Publication> publish(Tenure tenure, long revision) {
        return within(attempt -> new MarkWriter(attempt, keys, id).publish(tenure, revision));
    }

    @Override
    public CompletionStage<Release> release(LeaseName lease, long revision) {
        String key = keys.lease(lease);
        ConsulRequest request = new ConsulTxn()
                .checkIndex(key, revision)
                .unlock(key, values.getOrDefault(lease, ""), id)
                .request();
        return within(attempt -> attempt.send(request).thenApply(answer -> ConsulVerdicts.release(answer, key)));
    }

    @Override
    public CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
        return within(attempt -> new ConsulReader(attempt, keys).read(List.copyOf(leases)));
    }

    @Override
    public CompletionStage<Void> destroy() {
        endWatches();
        return within(attempt ->
                attempt.send(destroyRequest(id)).thenAccept(answer -> ConsulVerdicts.written(answer, "session:write")));
    }

    @Override
    public List<Watch> watches() {
        return List.copyOf(watches);
    }

    private void endWatches() {
        watches.forEach(ConsulWatch::end);
    }

    private <T> CompletableFuture<T> within(Function<Attempt, CompletableFuture<T>> work) {
        return Attempt.within(transport, limit, work);
    }

    @Override
    public String toString() {
        return "session " + id;
    }
}
