package io.fencedlease.lease.consul;

import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.LeaseSession.Watch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A blocking query, asked again with the index it answered. One poll at a time. */
final class ConsulWatch implements Watch {

    /** How long Consul may keep a poll that has nothing to tell. */
    static final Duration WAIT = Duration.ofSeconds(60);

    private final ConsulTransport transport;
    private final String path;
    private final String query;
    private final String right;
    private final Duration wait;
    private volatile long index;
    private volatile CompletableFuture<Void> poll = CompletableFuture.completedFuture(null);
    private volatile boolean ended;

    ConsulWatch(ConsulTransport transport, String path, String query, String right, Duration wait) {
        this.transport = transport;
        this.path = path;
        this.query = query.isEmpty() ? "" : query + "&";
        this.right = right;
        this.wait = wait;
    }

    @Override
    public CompletionStage<Void> next() {
        if (ended) {
            return CompletableFuture.failedFuture(new BackendUnavailableException("watch of a session that is over"));
        }
        long since = index;
        // until an answer says otherwise: after a failure another cluster may be there
        index = 0;
        ConsulRequest request = ConsulRequest.watch(path, query + "index=" + since + "&wait=" + wait.toSeconds() + "s");
        // Consul adds up to a sixteenth to the wait, and an answer takes its time
        Duration limit = wait.multipliedBy(17).dividedBy(16).plusSeconds(5);
        CompletableFuture<Void> next = Attempt.within(
                transport, limit, attempt -> attempt.send(request).thenAccept(answer -> answered(answer, since)));
        poll = next;
        if (ended) {
            next.cancel(false);
        }
        return next;
    }

    /** An index that went backwards is of another life of the cluster: with ours we would sleep through its changes. */
    private void answered(ConsulAnswer answer, long since) {
        long seen = ConsulVerdicts.wokenAt(answer, right);
        index = seen < since ? 0 : seen;
    }

    @Override
    public boolean ofSession() {
        return path.startsWith("session/");
    }

    /** Whether the next poll answers at once. */
    boolean fromTheBeginning() {
        return index == 0;
    }

    /** Ends the poll that is open; there are no more. */
    void end() {
        ended = true;
        poll.cancel(false);
    }
}
