package io.fencedlease.camel.report;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How one scheme, or one class of repositories, is classed.
 *
 * @param hop whether routes of this context that consume from the same endpoint are followed
 * @param onlyIf options of which one being set is enough for it to hold
 * @param unless an option and a value without which it holds too; if there is neither, it holds anyway
 * @param otherwise where it does not hold; of a hop, where no route consumes
 */
record Rule(
        SinkClass kind,
        boolean hop,
        List<String> onlyIf,
        Map<String, String> unless,
        SinkClass otherwise,
        String note) {

    private static final Pattern FORM = Pattern.compile("(?<kind>[A-Za-z -]+?)"
            + "(?: if (?<if>[\\w.]+(?:,[\\w.]+)*))?"
            + "(?:(?: or)? unless (?<option>[\\w.]+)=(?<value>\\w+))?"
            + "(?: else (?<else>[A-Za-z -]+?))?"
            + "\\s*(?::\\s*(?<note>.*))?");

    static Rule of(SinkClass kind, String note) {
        return new Rule(kind, false, List.of(), Map.of(), SinkClass.INTERNAL, note);
    }

    /** @throws IllegalArgumentException if it is not of the form that the file describes */
    static Rule parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("CLASS [if OPTION,..] [[or] unless OPTION=VALUE] [else CLASS] [: NOTE]");
        }
        boolean hop = form.group("kind").equals("hop");
        return new Rule(
                hop ? SinkClass.INTERNAL : kind(form.group("kind"), "hop or "),
                hop,
                form.group("if") == null ? List.of() : List.of(form.group("if").split(",")),
                form.group("option") == null ? Map.of() : Map.of(form.group("option"), form.group("value")),
                form.group("else") == null
                        ? hop ? SinkClass.UNKNOWN : SinkClass.INTERNAL
                        : kind(form.group("else"), ""),
                orEmpty(form.group("note")));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static SinkClass kind(String text, String alsoAllowed) {
        return SinkClass.of(text)
                .orElseThrow(() -> new IllegalArgumentException(alsoAllowed + "one of " + List.of(SinkClass.values())));
    }

    /** What it says of an endpoint with these options. */
    Rule with(Map<String, String> options) {
        if (holds(options)) {
            return this;
        }
        return of(otherwise, otherwise == SinkClass.INTERNAL ? "" : note);
    }

    private boolean holds(Map<String, String> options) {
        boolean always = onlyIf.isEmpty() && unless.isEmpty();
        boolean oneIsSet = onlyIf.stream()
                .anyMatch(option -> !options.getOrDefault(option, "false").equals("false"));
        boolean differs =
                unless.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(options.get(entry.getKey())));
        return always || oneIsSet || differs;
    }
}
