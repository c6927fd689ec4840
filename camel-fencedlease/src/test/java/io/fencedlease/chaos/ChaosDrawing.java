package io.fencedlease.chaos;

import io.fencedlease.chaos.ChaosNodes.Life;
import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Fault.Lane;
import io.fencedlease.chaos.Judge.Fact;
import io.fencedlease.chaos.Nemesis.Struck;
import io.fencedlease.chaos.NodeLine.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The run as SVG, a strip for each minute. Colours come from the page. */
final class ChaosDrawing {

    private static final long STRIP = TimeUnit.MINUTES.toNanos(1);
    private static final int LEFT = 90;
    private static final int WIDTH = 1200;
    private static final int LANE = 26;
    private static final int COLOURS = 5;
    private static final String CONSUL = "consul";

    private final Outcome outcome;
    private final List<String> lanes = new ArrayList<>();
    private final List<Bar> bars = new ArrayList<>();
    private final List<Tick> ticks = new ArrayList<>();
    private final long first;
    private final long last;

    /** Something that lasts. */
    private record Bar(
            String lane, String style, long from, long to, int top, int height, String label, String title) {}

    /** Something at a moment. */
    private record Tick(String lane, String style, long at) {}

    ChaosDrawing(Outcome outcome) {
        this.outcome = outcome;
        lanes.addAll(outcome.options().leases());
        lanes.addAll(outcome.options().nodes());
        lanes.add(CONSUL);
        first = outcome.lives().stream().mapToLong(Life::from).min().orElse(outcome.began());
        last = outcome.lives().stream().mapToLong(Life::to).max().orElse(outcome.calm());
        outcome.lives()
                .forEach(life -> bars.add(
                        new Bar(life.node(), "life", life.from(), life.to(), 20, 3, "", "JVM of " + life.name())));
        tenures();
        outcome.struck().forEach(this::fault);
        facts();
        outcome.said().stream()
                .filter(said -> said.line().kind() == Kind.REFUSED)
                .forEach(said -> ticks.add(
                        new Tick(said.line().lease(), "refused", said.line().nanos())));
    }

    private void tenures() {
        Map<String, Long> ends = new HashMap<>();
        outcome.lives().forEach(life -> ends.put(life.name(), life.to()));
        Map<String, Long> losses = new HashMap<>();
        outcome.said().stream()
                .filter(said -> said.line().kind() == Kind.LOST)
                .forEach(said -> losses.put(tenure(said), said.line().nanos()));
        for (Said said : outcome.said()) {
            NodeLine line = said.line();
            if (line.kind() == Kind.TENURE) {
                long end = losses.getOrDefault(tenure(said), ends.getOrDefault(said.name(), last));
                String style = "c" + outcome.options().nodes().indexOf(said.node()) % COLOURS;
                String title = said.name() + ", lease " + line.lease() + ", token " + line.token();
                bars.add(new Bar(line.lease(), style, line.nanos(), end, 1, 13, "" + line.token(), title));
            }
        }
    }

    private static String tenure(Said said) {
        return said.name() + said.line().lease() + said.line().token();
    }

    private void fault(Struck struck) {
        String lane = struck.fault().lane == Lane.CONSUL ? CONSUL : struck.target();
        int top = struck.fault().lane == Lane.LINKS ? 11 : 1;
        int height = struck.fault().lane == Lane.CONSUL ? 18 : 9;
        String name = struck.fault().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        bars.add(new Bar(lane, "fault", struck.from(), struck.to(), top, height, name, name + ", " + struck.target()));
    }

    private void facts() {
        Map<String, Long> highest = new HashMap<>();
        for (Fact fact : outcome.facts()) {
            long before = highest.merge(fact.lease() + fact.resource(), fact.token(), Math::max);
            String style = fact.token() < before ? "stale" : fact.raise() ? "raise" : "write";
            ticks.add(new Tick(fact.lease(), style, fact.nanos()));
        }
    }

    void draw(StringBuilder html) {
        int height = lanes.size() * LANE + 18;
        for (long from = first; from < last; from += STRIP) {
            add(html, "<svg viewBox='0 0 %d %d'>%n", WIDTH, height);
            for (int i = 0; i < lanes.size(); i++) {
                int top = i * LANE;
                add(
                        html,
                        "<rect class='lane' x='%d' y='%d' width='%d' height='%d'/>",
                        LEFT,
                        top,
                        WIDTH - LEFT,
                        LANE - 2);
                add(html, "<text x='0' y='%d'>%s</text>%n", top + 14, escape(lanes.get(i)));
            }
            for (long second = 0; second < 60; second += 10) {
                double x = x(from, from + TimeUnit.SECONDS.toNanos(second));
                long label = TimeUnit.NANOSECONDS.toSeconds(from - first) + second;
                add(html, "<text class='dim' x='%.1f' y='%d'>%d s</text>%n", x, height - 4, label);
            }
            strip(html, from);
            html.append("</svg>\n");
        }
    }

    private void strip(StringBuilder html, long from) {
        long to = from + STRIP;
        bars.stream().filter(bar -> bar.from() < to && bar.to() > from).forEach(bar -> draw(html, from, bar));
        for (Tick tick : ticks) {
            if (tick.at() >= from && tick.at() < to) {
                draw(html, from, tick);
            }
        }
    }

    private void draw(StringBuilder html, long strip, Bar bar) {
        double x = x(strip, Math.max(bar.from(), strip));
        double width = Math.max(1.5, x(strip, Math.min(bar.to(), strip + STRIP)) - x);
        int y = lanes.indexOf(bar.lane()) * LANE + bar.top();
        String length = "%.1f s".formatted((bar.to() - bar.from()) / 1e9);
        add(
                html,
                "<rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d'><title>%s, %s</title></rect>%n",
                bar.style(),
                x,
                y,
                width,
                bar.height(),
                escape(bar.title()),
                length);
        if (width > 6.5 * bar.label().length()) {
            String ink = bar.style().startsWith("c") ? "on" : "";
            add(html, "<text class='%s' x='%.1f' y='%d'>%s</text>%n", ink, x + 2, y + bar.height() - 1, bar.label());
        }
    }

    private void draw(StringBuilder html, long strip, Tick tick) {
        double x = x(strip, tick.at());
        int y = lanes.indexOf(tick.lane()) * LANE + 15;
        String shape =
                switch (tick.style()) {
                    case "stale" -> "<rect class='stale' x='%.1f' y='%d' width='4' height='9'/>%n";
                    case "raise" -> "<path class='raise' d='M%.1f %dl3 8h-6z'/>%n";
                    default -> "<path class='" + tick.style() + "' d='M%.1f %dv8'/>%n";
                };
        add(html, shape, x, y);
    }

    private static double x(long strip, long at) {
        return LEFT + (double) (at - strip) / STRIP * (WIDTH - LEFT);
    }

    private static void add(StringBuilder html, String format, Object... values) {
        html.append(String.format(Locale.ROOT, format, values));
    }

    /** For text in markup. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;");
    }
}
