package io.fencedlease.camel.sink;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;

/**
 * A sink to be fenced.
 *
 * @param delegate the endpoint that writes; shared with others, so its settings stay as they are
 * @param path the delegate's URI without scheme and query
 * @param defaults what holds where the options say nothing
 * @param fences the fences of this lease in this context
 */
public record Sink(
        CamelContext context,
        LeaseName lease,
        Endpoint delegate,
        String path,
        FenceOptions options,
        Defaults defaults,
        Fences fences) {

    /**
     * The component's settings for all fences.
     *
     * @param raiseTimeoutMillis how long a raise waits for a paused holder
     * @param evict whether it may then end the database session of that holder
     */
    public record Defaults(long raiseTimeoutMillis, boolean evict, boolean createTables) {}

    /** Hands out one fence for each resource, however many sinks are behind it. */
    public interface Fences {
        <F extends Fence> F shared(Object resource, Class<F> type, Supplier<F> maker) throws Exception;

        /** Where the lease is kept, for fences that are kept there too. */
        default LeaseBackend backend() throws Exception {
            throw new UnsupportedOperationException("no lease service");
        }
    }

    public SettingRefusedException refused(String option, Object given, String allowed) {
        return new SettingRefusedException(lease.value(), option, given, allowed);
    }
}
