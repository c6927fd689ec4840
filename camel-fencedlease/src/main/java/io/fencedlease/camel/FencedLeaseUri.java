package io.fencedlease.camel;

import io.fencedlease.camel.report.LeasedUri;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.util.URISupport;

/**
 * {@code fencedlease:LEASE:DELEGATE-URI} cut apart as text, so that the delegate is exactly what it would be on its own;
 * only our prefixed options are taken out of its query.
 */
record FencedLeaseUri(LeaseName lease, String delegate) {

    static final String SCHEME = "fencedlease:";

    /** The prefix of our options on consumers. */
    static final String LEASE_PREFIX = "lease.";

    /** The prefix of our options on producers. */
    static final String FENCE_PREFIX = "fence.";

    /** @throws SettingRefusedException if the text has no lease name or no delegate */
    static FencedLeaseUri parse(String uri) {
        int scheme = uri.indexOf(':');
        int nameStart = uri.startsWith("//", scheme + 1) ? scheme + 3 : scheme + 1;
        int nameEnd = uri.indexOf(':', nameStart);
        if (nameEnd < 0 || nameEnd + 1 == uri.length()) {
            String name = uri.substring(nameStart, nameEnd < 0 ? uri.length() : nameEnd);
            throw new SettingRefusedException(
                    name, "delegateUri", URISupport.sanitizeUri(uri), "fencedlease:LEASE:DELEGATE-URI");
        }
        LeaseName lease = new LeaseName(uri.substring(nameStart, nameEnd));
        return new FencedLeaseUri(lease, withoutOurs(uri.substring(nameEnd + 1)));
    }

    /** Whether it is for the component, or for another one of its kind in this context. */
    static boolean isOurs(CamelContext context, String uri) {
        return uri.startsWith(SCHEME)
                || context.hasComponent(uri.substring(0, Math.max(0, uri.indexOf(':'))))
                        instanceof FencedLeaseComponent;
    }

    /** For the sink report, which also meets what is not ours, or not well-formed. */
    static Optional<LeasedUri> cut(CamelContext context, String uri) {
        if (!isOurs(context, uri)) {
            return Optional.empty();
        }
        try {
            FencedLeaseUri cut = parse(uri);
            return Optional.of(new LeasedUri(cut.lease(), cut.delegate(), fence(uri)));
        } catch (SettingRefusedException | URISyntaxException notWellFormed) {
            return Optional.empty();
        }
    }

    private static Map<String, String> fence(String uri) throws URISyntaxException {
        Map<String, String> fence = new LinkedHashMap<>();
        int query = uri.indexOf('?');
        for (String pair : query < 0 ? List.<String>of() : pairs(uri.substring(query + 1))) {
            if (pair.startsWith(FENCE_PREFIX)) {
                URISupport.parseQuery(pair.substring(FENCE_PREFIX.length()), false, true)
                        .forEach((name, value) -> fence.put(name, String.valueOf(value)));
            }
        }
        return fence;
    }

    /** The scheme of the delegate. */
    String delegateScheme() {
        int end = delegate.indexOf(':');
        return end < 0 ? delegate : delegate.substring(0, end);
    }

    /** The delegate without its scheme and query. */
    String delegatePath() {
        int from = delegate.indexOf(':') + 1;
        int query = delegate.indexOf('?');
        return delegate.substring(from, query < 0 ? delegate.length() : query);
    }

    private static String withoutOurs(String uri) {
        int query = uri.indexOf('?');
        if (query < 0) {
            return uri;
        }
        StringBuilder kept = new StringBuilder(uri.substring(0, query));
        char separator = '?';
        for (String pair : pairs(uri.substring(query + 1))) {
            if (!pair.startsWith(LEASE_PREFIX) && !pair.startsWith(FENCE_PREFIX)) {
                kept.append(separator).append(pair);
                separator = '&';
            }
        }
        return kept.toString();
    }

    /** Cuts at each {@code &} that is not inside RAW. */
    private static List<String> pairs(String query) {
        List<String> pairs = new ArrayList<>();
        int start = 0;
        int at = 0;
        while (at < query.length()) {
            if (query.startsWith("=RAW(", at)) {
                at = endOfRaw(query, at + 5, ')');
            } else if (query.startsWith("=RAW{", at)) {
                at = endOfRaw(query, at + 5, '}');
            } else if (query.charAt(at) == '&') {
                pairs.add(query.substring(start, at));
                start = ++at;
            } else {
                at++;
            }
        }
        if (start < query.length()) {
            pairs.add(query.substring(start));
        }
        return pairs;
    }

    private static int endOfRaw(String query, int from, char close) {
        for (int at = from; at < query.length(); at++) {
            boolean last = at + 1 == query.length() || query.charAt(at + 1) == '&';
            if (query.charAt(at) == close && last) {
                return at + 1;
            }
        }
        return query.length();
    }
}
