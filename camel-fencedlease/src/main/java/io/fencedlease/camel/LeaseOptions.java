package io.fencedlease.camel;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.support.CamelContextHelper;

/** The {@code lease.*} options given at one place; what is not given there comes from the component. Immutable. */
record LeaseOptions(Map<String, Duration> given) {

    static final LeaseOptions NONE = new LeaseOptions(Map.of());

    static final List<String> NAMES = List.of(
            "ttl", "renewalInterval", "attemptLimit", "lossStopTimeout", "lockDelay", "startTimeout", "drainTimeout");

    /**
     * @param texts by name, without prefix
     * @throws SettingRefusedException for a name that does not exist or a text that is no duration
     */
    static LeaseOptions parse(CamelContext context, LeaseName lease, Map<String, Object> texts) {
        Map<String, Duration> given = new LinkedHashMap<>();
        texts.forEach((name, text) -> given.put(known(lease, name, text), duration(context, lease, name, text)));
        return new LeaseOptions(Map.copyOf(given));
    }

    private static String known(LeaseName lease, String name, Object text) {
        if (!NAMES.contains(name)) {
            throw new SettingRefusedException(
                    lease.value(), "lease." + name, text, "one of lease." + String.join(", lease.", NAMES));
        }
        return name;
    }

    private static Duration duration(CamelContext context, LeaseName lease, String name, Object text) {
        try {
            Duration parsed = CamelContextHelper.parseDuration(context, String.valueOf(text));
            if (parsed != null && parsed.toMillis() > 0) {
                return parsed;
            }
        } catch (RuntimeException notADuration) {
            // refused below, as a value of 0 is
        }
        throw new SettingRefusedException(
                lease.value(), "lease." + name, text, "a duration above 0 such as 10s, 2m or 500 (milliseconds)");
    }

    /** These options, completed from others. */
    LeaseOptions over(LeaseOptions defaults) {
        Map<String, Duration> both = new LinkedHashMap<>(defaults.given);
        both.putAll(given);
        return new LeaseOptions(Map.copyOf(both));
    }

    /**
     * Both together.
     *
     * @throws SettingRefusedException if they say different things about one option
     */
    LeaseOptions with(LeaseName lease, LeaseOptions other) {
        other.given.forEach((name, value) -> {
            Duration mine = given.getOrDefault(name, value);
            if (!mine.equals(value)) {
                throw new SettingRefusedException(
                        lease.value(),
                        "lease." + name,
                        value.toMillis() + "ms",
                        mine.toMillis() + "ms as given elsewhere for this lease");
            }
        });
        return other.over(this);
    }

    /** @throws SettingRefusedException if they contradict each other */
    LeaseSettings settings(String lease) {
        LeaseSettings.Builder settings = LeaseSettings.builder(lease);
        given.forEach((name, value) -> set(settings, name, value));
        return settings.build();
    }

    private static void set(LeaseSettings.Builder settings, String name, Duration value) {
        switch (name) {
            case "ttl" -> settings.ttl(value);
            case "renewalInterval" -> settings.renewalInterval(value);
            case "attemptLimit" -> settings.attemptLimit(value);
            case "lossStopTimeout" -> settings.lossStopTimeout(value);
            case "lockDelay" -> settings.lockDelay(value);
            case "startTimeout" -> settings.startTimeout(value);
            default -> {
                // drainTimeout is the routes', not the lease's
            }
        }
    }

    Duration drainTimeout(Duration otherwise) {
        return given.getOrDefault("drainTimeout", otherwise);
    }
}
