package io.fencedlease.lease.consul;

import io.fencedlease.lease.SettingRefusedException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a Consul, and where in it the leases are. Immutable. {@link #toString()} does not show the token.
 *
 * <p>Sessions are bound to no health check unless one is named here: then only the TTL, a destroy, or the end of the
 * agent's node ends them. With {@code serfHealth} they also end, earlier, when the agent's node is found failed.
 */
public final class ConsulSettings {

    /** The prefix of all keys, where none is given. */
    public static final String DEFAULT_KEY_PREFIX = "fencedlease";

    private final List<URI> addresses;
    private final String token;
    private final String datacenter;
    private final String keyPrefix;
    private final List<String> nodeChecks;
    private final List<String> serviceChecks;
    private final @Nullable SSLContext sslContext;

    private ConsulSettings(Builder from) {
        addresses = List.copyOf(from.addresses);
        token = from.token;
        datacenter = from.datacenter;
        keyPrefix = from.keyPrefix;
        nodeChecks = List.copyOf(from.nodeChecks);
        serviceChecks = List.copyOf(from.serviceChecks);
        sslContext = from.sslContext;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The agents' addresses, at least one; a call that failed moves later calls on to the next. */
    public List<URI> addresses() {
        return addresses;
    }

    /** Empty for the agent's own datacenter. */
    public String datacenter() {
        return datacenter;
    }

    public String keyPrefix() {
        return keyPrefix;
    }

    /** Ids of the node checks that a session is bound to. */
    public List<String> nodeChecks() {
        return nodeChecks;
    }

    /** Ids of the service checks that a session is bound to. */
    public List<String> serviceChecks() {
        return serviceChecks;
    }

    public Optional<SSLContext> sslContext() {
        return Optional.ofNullable(sslContext);
    }

    /** A secret, so not for everybody. */
    String token() {
        return token;
    }

    @Override
    public String toString() {
        return "Consul at " + addresses + ", key prefix " + keyPrefix
                + (datacenter.isEmpty() ? "" : ", datacenter " + datacenter)
                + (token.isEmpty() ? "" : ", token ***")
                + (nodeChecks.isEmpty() ? "" : ", node checks " + nodeChecks)
                + (serviceChecks.isEmpty() ? "" : ", service checks " + serviceChecks);
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder {

        private static final Pattern PREFIX =
                Pattern.compile("(?!.*\\.\\.)SEGMENT(/SEGMENT)*".replace("SEGMENT", "(?!\\.(/|$))[A-Za-z0-9_.-]+"));

        private static final Pattern DATACENTER = Pattern.compile("[A-Za-z0-9_-]*");
        /** What a header may carry; checked here, for the HTTP client would show the value in its complaint. */
        private static final String NO_URL = "no http(s) URL (not shown, it may hold a secret)";

        private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7E]*");

        private final List<URI> addresses = new ArrayList<>();
        private final List<String> nodeChecks = new ArrayList<>();
        private final List<String> serviceChecks = new ArrayList<>();
        private String token = "";
        private String datacenter = "";
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private @Nullable SSLContext sslContext;

        private Builder() {}

        /** Adds an agent: {@code http://host:8500} or {@code https://host:8501}, maybe with a path before {@code /v1}. */
        public Builder address(String url) {
            URI uri;
            try {
                uri = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            } catch (IllegalArgumentException notAUrl) {
                throw refused("consulUrl", NO_URL, "http(s)://host:port");
            }
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean bare = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            if (!web || uri.getHost() == null || !bare) {
                // not the whole address: it may carry a secret
                throw refused(
                        "consulUrl",
                        web && uri.getHost() != null ? uri.getScheme() + "://" + uri.getHost() + "..." : NO_URL,
                        "http(s)://host:port, without user, query or fragment");
            }
            addresses.add(uri);
            return this;
        }

        /** The ACL token, sent as a header; empty for none. */
        public Builder token(String value) {
            if (!TOKEN.matcher(value).matches()) {
                throw refused("token", "***", "visible ASCII characters");
            }
            token = value;
            return this;
        }

        /** Empty for the agent's own. */
        public Builder datacenter(String value) {
            datacenter = matching("datacenter", value, DATACENTER, "letters, digits, _ and -");
            return this;
        }

        /** What all keys begin with; nothing that changes often may be kept below it. */
        public Builder keyPrefix(String value) {
            keyPrefix = matching(
                    "keyPrefix",
                    value,
                    PREFIX,
                    "segments of A-Z a-z 0-9 _ . - joined by single /, none of them . or containing ..");
            return this;
        }

        /** Binds sessions to a check of the agent's node, such as {@code serfHealth}: critical ends the session. */
        public Builder nodeCheck(String id) {
            nodeChecks.add(named(id));
            return this;
        }

        /** Binds sessions to a check of a service on the agent's node: critical ends the session. */
        public Builder serviceCheck(String id) {
            serviceChecks.add(named(id));
            return this;
        }

        /** For TLS, and for a client certificate; all addresses must be {@code https} then. */
        public Builder sslContext(SSLContext value) {
            sslContext = Objects.requireNonNull(value, "sslContext");
            return this;
        }

        /** @throws SettingRefusedException if no address is given, or a plain one together with an SSL context */
        public ConsulSettings build() {
            if (addresses.isEmpty()) {
                throw refused("consulUrl", "none", "one or more");
            }
            for (URI address : addresses) {
                if (sslContext != null && !"https".equals(address.getScheme())) {
                    throw refused("consulUrl", address, "https only, since sslContext is given");
                }
            }
            return new ConsulSettings(this);
        }

        private static String named(String id) {
            if (id.isBlank()) {
                throw refused("sessionChecks", "'" + id + "'", "the id of a check");
            }
            return id;
        }

        private static String matching(String option, String value, Pattern pattern, String allowed) {
            if (!pattern.matcher(value).matches()) {
                throw refused(option, "'" + value + "'", allowed);
            }
            return value;
        }

        private static SettingRefusedException refused(String option, Object given, String allowed) {
            return new SettingRefusedException("*", option, given, allowed);
        }
    }
}
