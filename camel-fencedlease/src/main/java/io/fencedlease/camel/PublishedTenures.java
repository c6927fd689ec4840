package io.fencedlease.camel;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What receivers hold against a forged token: the tenure that the lease's holder published when it was raised. */
record PublishedTenures(Leases leases) {

    /**
     * Compares token and nonce for equality; asks the service, and once more before it refuses.
     *
     * @throws FencedOutException if a later tenure was published
     * @throws NoTenureException if this one never was, as far as the service remembers
     * @throws FenceUnavailableException if the service did not answer
     */
    void verify(Tenure presented, String where) throws InterruptedException {
        Optional<Tenure> published = read(presented);
        if (published.filter(presented::equals).isEmpty()) {
            published = read(presented);
        }
        if (published.filter(presented::equals).isPresent()) {
            return;
        }
        if (published.isPresent() && published.get().token().compareTo(presented.token()) > 0) {
            throw new FencedOutException(
                    where, presented, published.get().token().value(), "published in the lease service");
        }
        throw NoTenureException.notPublished(presented, where, published);
    }

    private Optional<Tenure> read(Tenure presented) throws InterruptedException {
        CompletableFuture<Optional<Tenure>> answer =
                leases.published(presented.lease()).toCompletableFuture();
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            throw new FenceUnavailableException(
                    "the lease service did not tell whether " + presented + " was published; nothing was written",
                    failed.getCause());
        }
    }
}
