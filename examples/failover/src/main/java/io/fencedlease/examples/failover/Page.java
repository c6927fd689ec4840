package io.fencedlease.examples.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The whole run on one page that needs nothing from anywhere. */
final class Page {

    private Page() {}

    static String of(
            DemoOptions options, List<Event> events, List<Handover> handovers, Verdict verdict, boolean holds) {
        return template()
                .replace("@result@", options.fenced() && holds ? "good" : "bad")
                .replace("@mode@", options.fenced() ? "fenced" : "unfenced")
                .replace("@conclusion@", Drawing.escape(Report.conclusion(options, holds)))
                .replace("@setting@", Drawing.escape(setting(options)))
                .replace("@drawing@", Drawing.of(events, handovers))
                .replace("@checks@", checks(verdict))
                .replace("@damage@", damage(verdict))
                .replace("@events@", events(events));
    }

    private static String setting(DemoOptions options) {
        return "%d nodes, TTL %s, lease in %s"
                .formatted(
                        options.nodes(),
                        Bounds.s(options.ttl()),
                        options.consul().isPresent() ? "Consul" : "the demo's database");
    }

    private static String checks(Verdict verdict) {
        return verdict.checks().stream()
                .map(c -> "<tr class='%s'><td>%s</td><td>%s</td><td>%s</td></tr>%n"
                        .formatted(
                                c.holds() ? "good" : "bad",
                                c.holds() ? "✓ holds" : "✕ fails",
                                Drawing.escape(c.claim()),
                                Drawing.escape(c.found())))
                .collect(Collectors.joining());
    }

    private static String damage(Verdict verdict) {
        if (verdict.staleWrites().isEmpty() && verdict.doubled().isEmpty()) {
            return "";
        }
        return java.util.stream.Stream.concat(verdict.staleWrites().stream(), verdict.doubled().stream())
                .map(line -> "<li>" + Drawing.escape(line) + "</li>\n")
                .collect(Collectors.joining("", "<h2>Damage</h2>\n<ul class='bad'>\n", "</ul>\n"));
    }

    private static String events(List<Event> events) {
        return events.stream()
                .map(e -> "<tr class='%s'><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>%n"
                        .formatted(
                                e.type().name().toLowerCase(Locale.ROOT),
                                e.seconds(),
                                Drawing.escape(e.node()),
                                e.token() == 0 ? "" : e.token(),
                                e.type() == Event.Type.NOTE
                                        ? ""
                                        : e.type()
                                                .name()
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', ' '),
                                Drawing.escape(e.text())))
                .collect(Collectors.joining());
    }

    private static String template() {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream("/page.html"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
