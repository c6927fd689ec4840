package io.fencedlease.camel.sink;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.util.SensitiveUtils;

/** The {@code fence.*} options of one producer. Immutable. */
public final class FenceOptions {

    private static final String ACCEPT_RISK = "acceptRisk";

    private final LeaseName lease;
    private final Map<String, Object> given;

    private FenceOptions(LeaseName lease, Map<String, Object> given) {
        this.lease = lease;
        this.given = Map.copyOf(given);
    }

    /**
     * @param given by name, without prefix
     * @param known what the sink understands; an accepted risk is always understood, and then stands alone
     * @throws SettingRefusedException for any other name
     */
    public static FenceOptions parse(LeaseName lease, Map<String, Object> given, Set<String> known) {
        Set<String> allowed = new TreeSet<>(known);
        if (given.containsKey(ACCEPT_RISK)) {
            allowed.clear();
        }
        allowed.add(ACCEPT_RISK);
        given.forEach((name, value) -> {
            if (!allowed.contains(name)) {
                Object shown = SensitiveUtils.containsSensitive(name) ? "xxxxxx" : value;
                throw new SettingRefusedException(
                        lease.value(), "fence." + name, shown, "fence." + String.join(", fence.", allowed));
            }
        });
        return new FenceOptions(lease, given);
    }

    /** Why the sink may be written to without a fence; empty if it may not. */
    public Optional<String> acceptedRisk() {
        Optional<String> reason = text(ACCEPT_RISK);
        if (reason.isPresent() && reason.get().isBlank()) {
            throw new SettingRefusedException(lease.value(), "fence." + ACCEPT_RISK, "''", "a written reason");
        }
        return reason;
    }

    /** The option's text, empty if not given. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(given.get(name)).map(Object::toString);
    }

    /** One of some words, the first one if not given. */
    public String oneOf(String name, String... words) {
        String word = text(name).orElse(words[0]);
        if (!Set.of(words).contains(word)) {
            throw new SettingRefusedException(lease.value(), "fence." + name, word, String.join(", ", words));
        }
        return word;
    }
}
