package io.fencedlease.camel.report;

import java.util.List;

/**
 * One sink that a leased route reaches, as shown to people. Immutable.
 *
 * @param what the endpoint, or the code; without secrets
 * @param route the leased route
 * @param via the routes between it and the sink, in order; the last one has the step
 * @param node the step, by id or kind
 * @param note the written reason, the remedy, or what else is to be known; may be empty
 */
public record ReportedSink(SinkClass kind, String what, String route, List<String> via, String node, String note) {

    private static final int SHOWN = 160;

    /** Where it is, for people. */
    public String where() {
        String path = via.isEmpty() ? route : route + " > " + String.join(" > ", via);
        return path + "/" + node;
    }

    @Override
    public String toString() {
        String shown = what.length() > SHOWN ? what.substring(0, SHOWN) + ".." : what;
        return kind + " " + shown.replaceAll("\\s+", " ") + " (" + where() + ")" + (note.isEmpty() ? "" : ": " + note);
    }
}
