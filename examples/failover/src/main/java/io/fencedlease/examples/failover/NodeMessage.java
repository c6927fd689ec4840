package io.fencedlease.examples.failover;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line from a node to the director, on the node's standard output.
 *
 * @param token of the tenure it is about; 0 if it is about none
 */
record NodeMessage(Kind kind, long token, String text) {

    private static final String PREFIX = "demo>";

    private static final Pattern WARNING =
            Pattern.compile(".* WARN io\\.fencedlease\\.(?:lease|fence)\\.\\S+ - lease '\\S+' token (\\d+):? (.*)");

    /** What happened. */
    enum Kind {
        /** The first exchange of a tenure has begun: fences are raised, the route runs. */
        WORKING,
        /** The node waits at the pause point that was asked for. */
        AT,
        /** An exchange failed: its write was not accepted. */
        REFUSED,
        /** The tenure ended. */
        LOST,
        /** It competes for the lease. */
        WAITING,
        /** A warning about the lease in the node's log. */
        WARNED
    }

    String line() {
        return PREFIX + " " + kind + " " + token + " " + text;
    }

    /** Of a line on a node's standard output: what the node says to the director, or a warning about its lease. */
    static Optional<NodeMessage> parse(String line) {
        String[] words = line.split(" ", 4);
        if (words.length == 4 && words[0].equals(PREFIX)) {
            return Optional.of(new NodeMessage(Kind.valueOf(words[1]), Long.parseLong(words[2]), words[3]));
        }
        Matcher warning = WARNING.matcher(line);
        return warning.matches()
                ? Optional.of(new NodeMessage(Kind.WARNED, Long.parseLong(warning.group(1)), warning.group(2)))
                : Optional.empty();
    }
}
