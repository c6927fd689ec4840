package io.fencedlease.chaos;

import java.util.Optional;

/**
 * One line of a node's journal.
 *
 * @param nanos of {@link System#nanoTime()}, which all processes of one machine share
 * @param attempt which write it is about; empty for tenures
 * @param text the nonce of a tenure, the reason of a loss, or what a write failed with
 */
record NodeLine(Kind kind, long nanos, String lease, long token, String attempt, String text) {

    /** What the node says. */
    enum Kind {
        /** The first exchange of a tenure. */
        TENURE,
        /** The tenure's loss was signalled. */
        LOST,
        /** The loss was signalled, and no exchange of the tenure is left. */
        EMPTY,
        /** The route ended well: the write was acknowledged. */
        WROTE,
        /** A fence refused: nothing was written. The text is empty, or what had failed before the mark was looked at. */
        REFUSED,
        /** Whatever else; the outcome may be unknown. */
        FAILED
    }

    private static final String MARK = "@chaos";

    private static final int PARTS = 7;

    /** What the attempt was to write to. */
    String resource() {
        return attempt.endsWith("." + ChaosSink.FILES) ? ChaosSink.FILES : ChaosSink.DATABASE;
    }

    String line() {
        return String.join("\t", MARK, kind.name(), Long.toString(nanos), lease, Long.toString(token), attempt, text);
    }

    /** Empty for whatever else a JVM prints, and for a line that a kill cut short. */
    static Optional<NodeLine> parse(String line) {
        String[] part = line.split("\t", -1);
        if (part.length != PARTS || !part[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(new NodeLine(
                Kind.valueOf(part[1]), Long.parseLong(part[2]), part[3], Long.parseLong(part[4]), part[5], part[6]));
    }
}
