package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Transactions on Consul's keys that take effect only while a tenure stands: each checks the session on the lease's lock and
 * the index of its mark, and then reads or writes.
 *
 * <p>Thread-safe; no call blocks. They fail with {@link io.fencedlease.lease.spi.BackendUnavailableException}: the outcome
 * is unknown, and a write may even happen later; or {@link io.fencedlease.lease.spi.BackendRefusedException}: a missing right,
 * nothing was written.
 */
public final class KvTransactions {

    /** Of one transaction, besides the two checks. */
    public static final int MOST = ConsulTxn.MAX_OPERATIONS - 2;

    private final ConsulTransport transport;
    private final ConsulKeys keys;
    private final Duration limit;

    KvTransactions(ConsulTransport transport, ConsulKeys keys, Duration limit) {
        this.transport = transport;
        this.keys = keys;
        this.limit = limit;
    }

    /** How a transaction ended. */
    public enum Outcome {
        WRITTEN,
        /** The session has not the lock, or another tenure was published. Nothing was written. */
        FENCED_OUT,
        /** A {@code setIf} or {@code deleteIf} did not fit. Nothing was written. */
        CONDITION_FAILED
    }

    /**
     * What a guarded read saw.
     *
     * @param passed false if the tenure does not stand; then nothing was read
     */
    public record Look(boolean passed, Optional<KvEntry> entry) {}

    /** Whether a key is among those that the leases are made of. */
    public boolean reserved(String key) {
        return key.startsWith(keys.root());
    }

    /** Whether keys that begin so are among those that the leases are made of. */
    public boolean reservedTree(String prefix) {
        return reserved(prefix) || keys.root().startsWith(prefix);
    }

    /** By reads that no stale server can answer. */
    public CompletionStage<KvStanding> standing(LeaseName lease) {
        String lock = keys.lease(lease);
        return Attempt.within(transport, limit, attempt -> MarkWriter.read(attempt, keys, lease)
                .thenCompose(mark -> attempt.send(
                                ConsulRequest.get("kv/" + lock, "").consistent())
                        .thenApply(answer -> {
                            Optional<com.fasterxml.jackson.databind.JsonNode> entry =
                                    ConsulVerdicts.entry(answer, lock);
                            return new KvStanding(
                                    lease,
                                    entry.map(e -> e.path("Session").asText("")).orElse(""),
                                    entry.map(e -> LockValue.of(e).nonce()).orElse(""),
                                    mark);
                        })));
    }

    /** Reads a key, by a read that no stale server can answer, if the tenure stands. */
    public CompletionStage<Look> look(KvStanding standing, String key) {
        ConsulTxn txn = checked(standing).get(key);
        return Attempt.within(
                transport, limit, attempt -> attempt.send(txn.request().consistent())
                        .thenApply(answer -> KvVerdicts.look(answer, key, txn)));
    }

    /** Does all of it or nothing, if the tenure stands. At most {@link #MOST} operations. */
    public CompletionStage<Outcome> commit(KvStanding standing, List<KvOperation> operations) {
        ConsulTxn txn = checked(standing);
        operations.forEach(txn::add);
        return send(txn, KvVerdicts.CHECKS);
    }

    /** Does all of it or nothing, whoever asks. */
    public CompletionStage<Outcome> commitUnguarded(List<KvOperation> operations) {
        ConsulTxn txn = new ConsulTxn();
        operations.forEach(txn::add);
        return send(txn, 0);
    }

    private CompletableFuture<Outcome> send(ConsulTxn txn, int checks) {
        return Attempt.within(transport, limit, attempt -> attempt.send(txn.request())
                .thenApply(answer -> KvVerdicts.outcome(answer, checks, txn)));
    }

    /** All keys below a prefix, with their values. Without the right to read, a folder looks empty: then a key is asked for. */
    public CompletionStage<List<KvEntry>> below(String prefix) {
        return Attempt.within(transport, limit, attempt -> attempt.send(ConsulRequest.get("kv/" + prefix, "recurse"))
                .thenCompose(answer -> {
                    if (KvVerdicts.emptyFolder(answer, prefix)) {
                        return attempt.send(ConsulRequest.get("kv/" + prefix, ""))
                                .thenApply(exact -> ConsulVerdicts.entry(exact, prefix).stream()
                                        .map(KvEntry::of)
                                        .toList());
                    }
                    List<KvEntry> entries = new ArrayList<>();
                    answer.json().forEach(entry -> entries.add(KvEntry.of(entry)));
                    return CompletableFuture.completedFuture(entries);
                }));
    }

    private ConsulTxn checked(KvStanding standing) {
        return new ConsulTxn()
                .checkSession(keys.lease(standing.lease()), standing.session())
                .checkIndex(
                        keys.mark(standing.lease()),
                        standing.mark().map(ConsulMark::index).orElse(0L));
    }
}
