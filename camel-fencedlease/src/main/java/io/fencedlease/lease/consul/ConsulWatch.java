package io.fencedlease.lease.consul;

import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.LeaseSession.Watch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A blocking query, asked again with the index it answered. One poll at a time. */
final class ConsulWatch implements Watch {

    private static final Duration WAIT = Duration.ofSeconds(60);

    /** Consul adds up to a sixteenth to the wait, and an answer takes its time. */
    private static final Duration LIMIT = WAIT.multipliedBy(17).dividedBy(16).plusSeconds(5);

    private final ConsulHttp http;
    private final String path;
    private final String query;
    private final String right;
    private volatile long index;
    private volatile CompletableFuture<Void> poll = CompletableFuture.completedFuture(null);
    private volatile boolean ended;

    ConsulWatch(ConsulHttp http, String path, String query, String right) {
        this.http = http;
        this.path = path;
        this.query = query.isEmpty() ? "" : query + "&";
        this.right = right;
    }

    @Override
    public CompletionStage<Void> next() {
        if (ended) {
            return CompletableFuture.failedFuture(new BackendUnavailableException("watch of a session that is over"));
        }
        ConsulRequest request = ConsulRequest.watch(path, query + "index=" + index + "&wait=" + WAIT.toSeconds() + "s");
        CompletableFuture<Void> next =
                Attempt.within(http, LIMIT, attempt -> attempt.send(request).thenAccept(answer -> {
                    long seen = ConsulVerdicts.wokenAt(answer, right);
                    // backwards: another life of the cluster, where our index would sleep through every change
                    index = seen < index ? 0 : seen;
                }));
        poll = next;
        if (ended) {
            next.cancel(false);
        }
        return next;
    }

    /** Ends the poll that is open; there are no more. */
    void end() {
        ended = true;
        poll.cancel(false);
    }
}
