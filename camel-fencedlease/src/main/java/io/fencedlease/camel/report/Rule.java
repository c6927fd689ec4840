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
 * @param onlyIf options of which one has to be set; none if it holds anyway
 * @param unless an option and a value with which it does not hold
 */
record Rule(SinkClass kind, boolean hop, List<String> onlyIf, Map<String, String> unless, String note) {

    private static final Pattern FORM = Pattern.compile("(?<kind>[A-Za-z -]+?)"
            + "(?: if (?<if>[\\w.]+(?:,[\\w.]+)*)| unless (?<option>[\\w.]+)=(?<value>\\w+))?"
            + "\\s*(?::\\s*(?<note>.*))?");

    static Rule of(SinkClass kind, String note) {
        return new Rule(kind, false, List.of(), Map.of(), note);
    }

    /** @throws IllegalArgumentException if it is not of the form that the file describes */
    static Rule parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("CLASS [if OPTION,.. | unless OPTION=VALUE] [: NOTE]");
        }
        boolean hop = form.group("kind").equals("hop");
        SinkClass kind = hop
                ? SinkClass.INTERNAL
                : SinkClass.of(form.group("kind"))
                        .orElseThrow(
                                () -> new IllegalArgumentException("hop or one of " + List.of(SinkClass.values())));
        return new Rule(
                kind,
                hop,
                form.group("if") == null ? List.of() : List.of(form.group("if").split(",")),
                form.group("option") == null ? Map.of() : Map.of(form.group("option"), form.group("value")),
                orEmpty(form.group("note")));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    boolean holdsWith(Map<String, String> options) {
        boolean wanted = onlyIf.isEmpty()
                || onlyIf.stream().anyMatch(option -> !options.getOrDefault(option, "false")
                        .equals("false"));
        return wanted
                && unless.entrySet().stream()
                        .noneMatch(entry -> entry.getValue().equals(options.get(entry.getKey())));
    }
}
