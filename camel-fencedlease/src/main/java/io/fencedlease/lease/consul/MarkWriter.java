package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Publication;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes a tenure in its lease's mark: compares, then writes in one transaction with the check that the lock is still
 * the session's, and only if the mark is still the one compared.
 */
final class MarkWriter {

    private static final int TRIES = 5;

    private final Attempt attempt;
    private final ConsulKeys keys;
    private final String session;
    private int tries = TRIES;

    MarkWriter(Attempt attempt, ConsulKeys keys, String session) {
        this.attempt = attempt;
        this.keys = keys;
        this.session = session;
    }

    CompletableFuture<Publication> publish(Tenure tenure, long revision) {
        if (tries-- == 0) {
            throw new BackendUnavailableException(keys.mark(tenure.lease()) + " changes all the time");
        }
        return read(attempt, keys, tenure.lease()).thenCompose(mark -> write(mark, tenure, revision));
    }

    /** @param mark as read; if it is another by now, all begins anew */
    CompletableFuture<Publication> write(Optional<ConsulMark> mark, Tenure tenure, long revision) {
        String key = keys.mark(tenure.lease());
        if (mark.isPresent() && refuses(mark.get(), tenure)) {
            return CompletableFuture.completedFuture(
                    new Publication.Refused("Consul key " + key, mark.get().token()));
        }
        ConsulTxn txn = new ConsulTxn()
                .checkSession(keys.lease(tenure.lease()), session)
                .checkIndex(keys.lease(tenure.lease()), revision);
        return attempt.send(request(txn, mark, tenure))
                .thenCompose(answer -> ConsulVerdicts.publication(answer, mark.isEmpty(), key, txn)
                        .map(CompletableFuture::completedFuture)
                        .orElseGet(() -> publish(tenure, revision)));
    }

    /** By a read that no stale server can answer. */
    static CompletableFuture<Optional<ConsulMark>> read(Attempt attempt, ConsulKeys keys, LeaseName lease) {
        String key = keys.mark(lease);
        return attempt.send(ConsulRequest.get("kv/" + key, "").consistent())
                .thenApply(answer -> ConsulVerdicts.entry(answer, key).map(ConsulMark::of));
    }

    private static boolean refuses(ConsulMark mark, Tenure tenure) {
        return mark.token() >= tenure.token().value() && !mark.isOf(tenure);
    }

    /** What is written already is only looked at, and that needs to be said consistent. */
    private ConsulRequest request(ConsulTxn txn, Optional<ConsulMark> mark, Tenure tenure) {
        String key = keys.mark(tenure.lease());
        if (mark.isPresent() && mark.get().isOf(tenure)) {
            return txn.get(key).request().consistent();
        }
        return txn.cas(key, ConsulMark.text(tenure), mark.map(ConsulMark::index).orElse(0L))
                .request();
    }
}
