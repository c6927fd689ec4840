package io.fencedlease.camel.report;

import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.util.URISupport;

/**
 * The text of an endpoint's URI, cut. Of a text with expressions, what is before the first one counts.
 *
 * @param scheme empty if there is none before the first expression
 * @param path without leading slashes
 * @param dynamic whether an expression decides where it goes
 * @param evaluated whether an expression decides anything, if only an option
 */
record EndpointText(
        String text, String scheme, String path, Map<String, String> options, boolean dynamic, boolean evaluated) {

    private static final Pattern SCHEME =
            Pattern.compile("(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):/{0,2}(?<path>.*)", Pattern.DOTALL);

    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{|\\$simple\\{|^language:|\\+language:");

    /** A text that goes where it says. */
    static EndpointText fixed(String text) {
        return of(text, false, false);
    }

    /** A text that a language makes the URI of. */
    static EndpointText evaluated(String text) {
        int query = text.indexOf('?');
        Matcher expression = EXPRESSION.matcher(text);
        if (!expression.find()) {
            return fixed(text);
        }
        boolean inTarget = query < 0 || expression.start() < query;
        EndpointText cut = of(text, inTarget, true);
        int scheme = cut.scheme().length();
        return expression.start() <= scheme ? new EndpointText(text, "", "", Map.of(), true, true) : cut;
    }

    /** Whether a language has something to do here. */
    static boolean evaluates(String text) {
        return EXPRESSION.matcher(text).find();
    }

    private static EndpointText of(String text, boolean dynamic, boolean evaluated) {
        int query = text.indexOf('?');
        Matcher parts = SCHEME.matcher(query < 0 ? text : text.substring(0, query));
        if (!parts.matches()) {
            return new EndpointText(text, "", "", Map.of(), dynamic, evaluated);
        }
        Map<String, String> options = query < 0 ? Map.of() : options(text.substring(query + 1));
        return new EndpointText(text, parts.group("scheme"), parts.group("path"), options, dynamic, evaluated);
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        try {
            URISupport.parseQuery(query, false, true)
                    .forEach((name, value) -> options.put(name, String.valueOf(value)));
        } catch (URISyntaxException unreadable) {
            // then none is known, and none makes anything safer than it is
        }
        return Map.copyOf(options);
    }

    /** What two ends of a hop have in common. */
    String address() {
        return scheme + ":" + path;
    }

    /** For people; without secrets. */
    String shown() {
        return URISupport.sanitizeUri(text);
    }
}
