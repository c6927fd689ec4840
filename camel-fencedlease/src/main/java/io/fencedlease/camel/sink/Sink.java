package io.fencedlease.camel.sink;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;

/**
 * A sink to be fenced.
 *
 * @param delegate the endpoint that writes; shared with others, so its settings stay as they are
 * @param path the delegate's URI without scheme and query
 * @param defaults what holds where the options say nothing
 */
public record Sink(
        CamelContext context,
        LeaseName lease,
        Endpoint delegate,
        String path,
        FenceOptions options,
        Defaults defaults) {

    /**
     * The component's settings for all fences.
     *
     * @param raiseTimeoutMillis how long a raise waits for a paused holder
     * @param evict whether it may then end the database session of that holder
     */
    public record Defaults(long raiseTimeoutMillis, boolean evict, boolean createTables) {}

    public SettingRefusedException refused(String option, Object given, String allowed) {
        return new SettingRefusedException(lease.value(), option, given, allowed);
    }
}
