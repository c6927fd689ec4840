package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import java.util.Locale;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.util.ObjectHelper;

/** Finds the endpoint that a leased URI wraps. */
final class DelegateEndpoints {

    private DelegateEndpoints() {}

    /**
     * @throws SettingRefusedException if it lacks a DataSource; Camel's own message does not say which lease is meant
     * @throws org.apache.camel.ResolveEndpointFailedException for any other fault of the delegate's URI
     */
    static Endpoint resolve(CamelContext context, FencedLeaseUri uri) {
        try {
            return context.getEndpoint(uri.delegate());
        } catch (RuntimeException failed) {
            for (Throwable cause : ObjectHelper.createExceptionIterable(failed)) {
                String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
                boolean last = cause.getCause() == null;
                if (last && message.contains("datasource")) {
                    throw new SettingRefusedException(
                            uri.lease().value(),
                            "dataSource",
                            "none for " + uri.delegateScheme() + ":...",
                            "a DataSource in the registry, named by the delegate");
                }
            }
            throw failed;
        }
    }
}
