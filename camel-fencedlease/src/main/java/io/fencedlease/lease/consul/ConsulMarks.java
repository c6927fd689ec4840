package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Reads the marks of leases: which tenure its holder published last.
 *
 * <p>Thread-safe; no call blocks. Needs {@code key:read} on the prefix, no session. Never writes: only a holder publishes,
 * together with the check that the lock is its own. <em>Does not guarantee</em> that the tenure still lives, nor, after a
 * snapshot was restored, that it is the latest.
 */
public final class ConsulMarks implements AutoCloseable {

    private final ConsulKeys keys;
    private final ConsulHttp http;
    private final Duration limit;

    /** @param limit how long one read may take */
    public ConsulMarks(ConsulSettings settings, Duration limit) {
        this.keys = new ConsulKeys(settings.keyPrefix());
        this.http = new ConsulHttp(settings);
        this.limit = limit;
    }

    /**
     * The mark of a lease by a read that no stale server can answer; empty if nobody ever published one. Fails with {@link
     * io.fencedlease.lease.spi.BackendUnavailableException} (unknown, try again) or {@link
     * io.fencedlease.lease.spi.BackendRefusedException} (a missing right; a mark that cannot be read).
     */
    public CompletionStage<Optional<ConsulMark>> read(LeaseName lease) {
        return Attempt.within(http, limit, attempt -> MarkWriter.read(attempt, keys, lease));
    }

    /** The key that the holder of a lease locks. */
    public String lockKey(LeaseName lease) {
        return keys.lease(lease);
    }

    /** The key of a lease's mark, {@code {"token":53,"nonce":"..."}}. */
    public String markKey(LeaseName lease) {
        return keys.mark(lease);
    }

    /** Ends what is open. */
    @Override
    public void close() {
        http.close();
    }
}
