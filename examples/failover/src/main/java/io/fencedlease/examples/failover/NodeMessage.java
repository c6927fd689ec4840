package io.fencedlease.examples.failover;

import java.util.Optional;

/**
 * One line from a node to the director, on the node's standard output.
 *
 * @param token of the tenure it is about; 0 if it is about none
 */
record NodeMessage(Kind kind, long token, String text) {

    private static final String PREFIX = "demo>";

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
        WAITING
    }

    String line() {
        return PREFIX + " " + kind + " " + token + " " + text;
    }

    static Optional<NodeMessage> parse(String line) {
        String[] words = line.split(" ", 4);
        if (words.length < 4 || !words[0].equals(PREFIX)) {
            return Optional.empty();
        }
        return Optional.of(new NodeMessage(Kind.valueOf(words[1]), Long.parseLong(words[2]), words[3]));
    }
}
