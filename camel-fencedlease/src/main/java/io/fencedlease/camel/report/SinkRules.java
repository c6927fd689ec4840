package io.fencedlease.camel.report;

import io.fencedlease.lease.SettingRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.camel.CamelContext;

/** How schemes are classed: our file, and those of the same form that are found on the class path. Immutable. */
final class SinkRules {

    /** A resource; each one found goes before ours. */
    static final String YOURS = "META-INF/fencedlease/sinks.properties";

    private static final String OURS = "sinks.properties";
    private static final Rule PRODUCER = Rule.of(
            SinkClass.UNFENCED,
            "put fencedlease:LEASE: in front, with fence.acceptRisk=REASON if there is no fence for it");
    private static final Rule CONSUMER =
            Rule.of(SinkClass.AFTER_EFFECT, "may acknowledge, move or delete what it took: not known here");
    private static final Rule REPOSITORY = Rule.of(
            SinkClass.UNFENCED,
            "its keys are not fenced: a holder that died half-way keeps them, a stale one may change them");

    private final Map<String, String> texts;
    private final Map<String, Rule> rules = new HashMap<>();

    /** An option that a leased consumer of a scheme should have. */
    record Need(String option, String value, String note) {}

    private SinkRules(Map<String, String> texts) {
        this.texts = Map.copyOf(texts);
        texts.forEach((key, text) -> {
            if (!key.startsWith("needs.")) {
                rules.put(key, rule(key, text));
            }
        });
    }

    /** @throws SettingRefusedException if a file has an entry that cannot be read, or two files contradict each other */
    static SinkRules load(CamelContext context) {
        Map<String, String> texts = read(SinkRules.class.getResource(OURS));
        Map<String, String> yours = new HashMap<>();
        for (URL url : found(context)) {
            read(url).forEach((key, text) -> {
                String before = yours.put(key, text);
                if (before != null && !before.equals(text)) {
                    throw refused(key, text, "the same in each " + YOURS + ", elsewhere it is: " + before);
                }
            });
        }
        texts.putAll(yours);
        return new SinkRules(texts);
    }

    private static List<URL> found(CamelContext context) {
        Enumeration<URL> urls = context.getClassResolver().loadAllResourcesAsURL(YOURS);
        return urls == null ? List.of() : Collections.list(urls);
    }

    private static Map<String, String> read(URL url) {
        Properties properties = new Properties();
        try (InputStream in = url.openStream()) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> texts = new HashMap<>();
        properties.forEach((key, text) -> texts.put((String) key, (String) text));
        return texts;
    }

    private static Rule rule(String key, String text) {
        if (!key.startsWith("to.") && !key.startsWith("from.") && !key.startsWith("repository.")) {
            throw refused(key, text, "to.SCHEME, from.SCHEME, needs.SCHEME or repository.CLASS");
        }
        try {
            return Rule.parse(text);
        } catch (IllegalArgumentException notOfTheForm) {
            throw refused(key, text, String.valueOf(notOfTheForm.getMessage()));
        }
    }

    private static SettingRefusedException refused(String key, String given, String allowed) {
        return new SettingRefusedException("*", "sinks.properties " + key, given, allowed);
    }

    Rule to(String scheme) {
        return rules.getOrDefault("to." + scheme, PRODUCER);
    }

    Rule from(String scheme) {
        return rules.getOrDefault("from." + scheme, CONSUMER);
    }

    Rule repository(Class<?> type) {
        for (Class<?> known = type; known != null; known = known.getSuperclass()) {
            Rule rule = rules.get("repository." + known.getName());
            if (rule != null) {
                return rule;
            }
        }
        return REPOSITORY;
    }

    Optional<Need> needs(String scheme) {
        return Optional.ofNullable(texts.get("needs." + scheme)).map(text -> {
            String[] parts = text.split("[=:]", 3);
            if (parts.length != 3) {
                throw refused("needs." + scheme, text, "OPTION=VALUE : NOTE");
            }
            return new Need(parts[0].strip(), parts[1].strip(), parts[2].strip());
        });
    }
}
