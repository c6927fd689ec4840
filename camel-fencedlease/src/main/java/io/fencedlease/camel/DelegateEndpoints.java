package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.NoSuchEndpointException;
import org.apache.camel.util.ObjectHelper;

/** Finds the endpoints that a leased URI names, and refuses what Camel could not keep secret. */
final class DelegateEndpoints {

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    /**
     * {@code scheme:user:password@}: only after {@code //} does Camel mask it, wherever it shows a URI. A host, a port and a path
     * with an @ are none.
     */
    private static final Pattern BARE_PASSWORD =
            Pattern.compile("[^:/?\\s]*:(?!//)[^:/?\\s]*:(?!\\d+/)[^?\\s]*@.*", Pattern.DOTALL);

    private DelegateEndpoints() {}

    /**
     * @throws SettingRefusedException if it lacks a DataSource or a component; Camel's own message does not say which
     *     lease is meant, or that its name was forgotten
     * @throws org.apache.camel.ResolveEndpointFailedException for any other fault of the delegate's URI
     */
    static Endpoint resolve(CamelContext context, FencedLeaseUri uri) {
        try {
            return resolve(
                    context,
                    uri.lease(),
                    "delegateUri",
                    uri.delegate(),
                    "fencedlease:LEASE:SCHEME:... with SCHEME on the class path; '" + uri.lease()
                            + "' was taken for the lease's name, is that left out?");
        } catch (SettingRefusedException refused) {
            throw refused;
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

    /**
     * The endpoint that an option names.
     *
     * @throws SettingRefusedException if there is no component for it, or a password would be shown; has no cause, which
     *     would show it too
     */
    static Endpoint resolve(CamelContext context, LeaseName lease, String option, String uri, String allowed) {
        if (BARE_PASSWORD.matcher(uri).matches()) {
            throw new SettingRefusedException(
                    lease.value(),
                    option,
                    uri.substring(0, uri.indexOf(':')) + ":USER:PASSWORD@... without //",
                    "SCHEME://USER:PASSWORD@..., which Camel masks in logs and JMX, or options for both");
        }
        try {
            return context.getEndpoint(uri);
        } catch (RuntimeException failed) {
            if (failed instanceof NoSuchEndpointException
                    || !SCHEME.matcher(uri).lookingAt()) {
                throw new SettingRefusedException(
                        lease.value(), option, "a URI that no component is there for", allowed);
            }
            throw failed;
        }
    }
}
