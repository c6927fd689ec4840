package io.fencedlease.chaos;

import io.fencedlease.chaos.ChaosNodes.Said;
import io.fencedlease.chaos.Judge.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The history as files: one for programs, and one page that needs nothing from anywhere. */
final class ChaosPage {

    private ChaosPage() {}

    /** Writes {@code history.tsv} and {@code timeline.html} into the folder of the run. */
    static void write(Outcome outcome, List<String> violations) throws IOException {
        Path folder = outcome.options().folder();
        Files.write(folder.resolve("history.tsv"), history(outcome));
        Files.writeString(folder.resolve("timeline.html"), page(outcome, violations));
    }

    /** By time, from the moment at which the nemesis began; the first column is in milliseconds. */
    private static List<String> history(Outcome outcome) {
        TreeMap<Long, List<String>> lines = new TreeMap<>();
        outcome.facts().forEach(fact -> put(lines, fact.nanos(), fact.resource() + "\t" + text(fact)));
        outcome.said().forEach(said -> put(lines, said.line().nanos(), "node " + said.node() + "\t" + text(said)));
        outcome.struck().forEach(struck -> {
            put(lines, struck.from(), "nemesis\t" + struck.fault() + "\t" + struck.target());
            put(lines, struck.to(), "nemesis\thealed " + struck.fault() + "\t" + struck.target());
        });
        outcome.lives().forEach(life -> {
            put(lines, life.from(), "node " + life.node() + "\tSTARTED\tlife " + life.number());
            put(lines, life.to(), "node " + life.node() + "\tENDED\tlife " + life.number());
        });
        List<String> all = new ArrayList<>();
        lines.forEach((nanos, texts) ->
                texts.forEach(text -> all.add("%.1f\t%s".formatted((nanos - outcome.began()) / 1e6, text))));
        return all;
    }

    private static void put(Map<Long, List<String>> lines, long nanos, String text) {
        lines.computeIfAbsent(nanos, n -> new ArrayList<>()).add(text);
    }

    private static String text(Fact fact) {
        return String.join(
                "\t",
                fact.raise() ? "RAISED" : "ACCEPTED",
                fact.lease(),
                Long.toString(fact.token()),
                fact.attempt(),
                "number " + fact.order());
    }

    private static String text(Said said) {
        NodeLine line = said.line();
        return String.join(
                "\t", line.kind().name(), line.lease(), Long.toString(line.token()), line.attempt(), line.text());
    }

    private static String page(Outcome outcome, List<String> violations) {
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<h1>Chaos, seed ")
                .append(outcome.options().seed())
                .append("</h1>\n<p class='")
                .append(violations.isEmpty() ? "good'>No violation." : "bad'>Violations: " + Verdict.rules(violations))
                .append("</p>\n");
        violations.forEach(v ->
                html.append("<p class='bad'>").append(ChaosDrawing.escape(v)).append("</p>\n"));
        html.append("<pre>")
                .append(ChaosDrawing.escape(outcome.summary()))
                .append("</pre>\n")
                .append(LEGEND);
        new ChaosDrawing(outcome).draw(html);
        return html.append("</body>\n</html>\n").toString();
    }

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Chaos</title>
            <style>
              :root { color-scheme: light dark; --back: #fff; --text: #1d2430; --dim: #5d6778; --lane: #f1f3f7;
                --bad: #c0202c; --good: #14733c; --fault: #e3b34a; --ink: #fff;
                --c0: #2f6fd0; --c1: #0c8a7b; --c2: #8a46c4; --c3: #5b7a1b; --c4: #b13a7d; }
              @media (prefers-color-scheme: dark) { :root { --back: #14181f; --text: #e6eaf0; --dim: #9aa5b5;
                --lane: #1c222c; --bad: #ff7b80; --good: #66d08e; --fault: #a37a1e; } }
              body { margin: 0 auto; max-width: 1240px; padding: 20px; background: var(--back); color: var(--text);
                font: 14px/1.5 system-ui, sans-serif; }
              pre { white-space: pre-wrap; } .bad { color: var(--bad); } .good { color: var(--good); font-weight: 600; }
              svg { display: block; width: 100%; margin: 0 0 18px; }
              svg text { font: 11px system-ui, sans-serif; fill: var(--text); } svg .dim { fill: var(--dim); }
              svg .on { fill: var(--ink); } .lane { fill: var(--lane); } .life { fill: var(--dim); opacity: .5; }
              .fault { fill: var(--fault); } .write { stroke: var(--text); stroke-width: 1; opacity: .75; }
              .refused { stroke: var(--bad); stroke-width: 2; } .stale { fill: var(--bad); }
              .raise { fill: none; stroke: var(--text); stroke-width: 1.2; }
              .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); }
              .c4 { fill: var(--c4); }
            </style>
            </head>
            <body>
            """;

    private static final String LEGEND = """
            <p>Each strip is a minute. Above, one lane for each lease: a bar is a tenure, from its first exchange to the moment
            at which its node was told of its end; its colour is the node, its number the token. Below the bar: a thin line for each
            write that the database accepted or that was published as a file, a red one for each that the fence refused, a triangle for each raise of the
            mark, a red block for a write below a higher token. Then one lane for each node and one for Consul: the grey line is a
            running JVM, a yellow box a fault. Point at anything to read more.</p>
            """;
}
