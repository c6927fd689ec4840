package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The timeline as SVG: a lane for each node, one for the ledger, time from left to right. Colours come from the page. */
final class Drawing {

    private static final int LEFT = 76;
    private static final int WIDTH = 1120;
    private static final int TOP = 8;
    private static final int LANE = 98;
    private static final int LEDGER = 44;
    private static final int COLOURS = 6;

    private final List<Event> events;
    private final List<Handover> handovers;
    private final List<String> nodes;
    private final List<Long> tokens;
    private final double perMilli;
    private final long end;
    private final StringBuilder svg = new StringBuilder();

    private Drawing(List<Event> events, List<Handover> handovers) {
        this.events = events;
        this.handovers = handovers;
        nodes = List.copyOf(new TreeSet<>(
                events.stream().map(Event::node).filter(name -> !name.isEmpty()).toList()));
        tokens = List.copyOf(new TreeSet<>(events.stream()
                .filter(e -> e.type() == Type.ACQUIRED)
                .map(Event::token)
                .toList()));
        end = Math.max(
                1000, events.isEmpty() ? 0 : events.get(events.size() - 1).millis() + 300);
        perMilli = (double) (WIDTH - LEFT - 16) / end;
    }

    static String of(List<Event> events, List<Handover> handovers) {
        return new Drawing(events, handovers).draw();
    }

    private String draw() {
        int height = ledgerTop() + LEDGER + 36;
        add("<svg viewBox='0 0 %d %d' role='img' aria-label='timeline'>%n", WIDTH, height);
        add(
                "<defs><pattern id='hatch' width='7' height='7' patternUnits='userSpaceOnUse'"
                        + " patternTransform='rotate(45)'><line class='hatch' x1='0' y1='0' x2='0' y2='7'/></pattern></defs>%n");
        axis();
        nodes.forEach(this::lane);
        Span.lives(events).forEach(this::life);
        Span.tenures(events).forEach(this::tenure);
        Span.pauses(events).forEach(this::pause);
        handovers.forEach(this::handover);
        add("<text class='name' x='8' y='%d'>ledger</text>%n", ledgerTop() + 26);
        events.forEach(this::mark);
        return svg.append("</svg>\n").toString();
    }

    private void axis() {
        int bottom = ledgerTop() + LEDGER + 6;
        for (long second = 0; second * 1000 <= end; second += 5) {
            double x = x(second * 1000);
            add("<line class='grid' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>", x, x, TOP, bottom);
            add("<text class='axis' x='%.1f' y='%d'>%d s</text>%n", x, bottom + 18, second);
        }
    }

    private void lane(String node) {
        int y = top(node);
        add("<rect class='lane' x='0' y='%d' width='%d' height='%d' rx='6'/>", y, WIDTH, LANE - 8);
        add("<text class='name' x='8' y='%d'>node %s</text>%n", y + 42, escape(node));
    }

    private void life(Span span) {
        add(
                "<rect class='life' x='%.1f' y='%d' width='%.1f' height='4' rx='2'><title>JVM of %s</title></rect>%n",
                x(span.fromMillis()), top(span.node()) + 34, width(span), escape(span.node()));
    }

    private void tenure(Span span) {
        int y = top(span.node()) + 22;
        add(
                "<rect class='c%d' x='%.1f' y='%d' width='%.1f' height='28' rx='5'><title>%s, token %d: %s</title></rect>",
                colour(span.token()),
                x(span.fromMillis()),
                y,
                width(span),
                escape(span.node()),
                span.token(),
                range(span));
        boolean fits = width(span) > 26 + 8 * String.valueOf(span.token()).length();
        add(
                "<text class='%s' x='%.1f' y='%d'>%s%d</text>%n",
                fits ? "token" : "note",
                x(span.fromMillis()) + (fits ? 7 : 0),
                y + (fits ? 19 : 62),
                width(span) > 62 || !fits ? "token " : "",
                span.token());
    }

    private void pause(Span span) {
        int y = top(span.node()) + 3;
        add(
                "<rect class='pause' x='%.1f' y='%d' width='%.1f' height='%d' rx='4'><title>paused, %s</title></rect>",
                x(span.fromMillis()), y, width(span), LANE - 14, range(span));
        add("<text class='note' x='%.1f' y='%d'>paused</text>%n", x(span.fromMillis()) + 5, y + 13);
    }

    private void handover(Handover h) {
        double x = x(h.atMillis());
        int from = top(h.from()) + 36;
        int to = top(h.to()) + (top(h.to()) > top(h.from()) ? 22 : 50);
        add(
                "<line class='hand' x1='%.1f' x2='%.1f' y1='%d' y2='%d'><title>%s: %s</title></line>",
                x, x, from, to, escape(h.kind()), escape(h.words()));
        add("<text class='note' x='%.1f' y='%d'>%.1f s</text>%n", x + 5, top(h.to()) + 16, h.tookMillis() / 1000.0);
    }

    private void mark(Event e) {
        double x = x(e.millis());
        switch (e.type()) {
            case ACCEPTED -> {
                tick(e, x, "c" + colour(e.token()), top(e.node()) + 54, 14);
                tick(e, x, "c" + colour(e.token()), ledgerTop() + 8, 28);
            }
            case STALE -> {
                tick(e, x - 1, "stale", top(e.node()) + 54, 14);
                tick(e, x - 1, "stale", ledgerTop() + 2, 40);
                add(
                        "<text class='bad' x='%.1f' y='%d'>stale: batch %d again</text>%n",
                        x + 6, top(e.node()) + 85, e.batch());
            }
            case REFUSED -> {
                int y = top(e.node()) + 79;
                add(
                        "<path class='refused' d='M%.1f %d l10 10 m0 -10 l-10 10'><title>%s %s</title></path>",
                        x - 5, y - 5, e.seconds(), escape(e.text()));
                add("<text class='bad' x='%.1f' y='%d'>refused</text>%n", x + 10, y + 4);
            }
            default -> {}
        }
    }

    private void tick(Event e, double x, String style, int y, int height) {
        add(
                "<rect class='%s' x='%.1f' y='%d' width='%s' height='%d'><title>%s %s token %d: %s</title></rect>%n",
                style,
                x,
                y,
                style.equals("stale") ? "4" : "2",
                height,
                e.seconds(),
                escape(e.node()),
                e.token(),
                escape(e.text()));
    }

    private int top(String node) {
        return TOP + nodes.indexOf(node) * LANE;
    }

    private int ledgerTop() {
        return TOP + nodes.size() * LANE;
    }

    private double x(long millis) {
        return LEFT + millis * perMilli;
    }

    private double width(Span span) {
        return Math.max(2, (span.toMillis() - span.fromMillis()) * perMilli);
    }

    private int colour(long token) {
        return Math.max(0, tokens.indexOf(token)) % COLOURS;
    }

    private static String range(Span span) {
        return "%.1f s to %.1f s".formatted(span.fromMillis() / 1000.0, span.toMillis() / 1000.0);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    /** For text in markup. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;");
    }
}
