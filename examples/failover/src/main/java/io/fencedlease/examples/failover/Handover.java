package io.fencedlease.examples.failover;

/**
 * A change of the holder.
 *
 * @param kind what happened to the old holder, for people
 * @param atMillis when the new tenure's route ran
 * @param tookMillis from the pause or SIGTERM until then
 * @param boundMillis how long it may have taken
 */
record Handover(
        String kind,
        String from,
        long fromToken,
        String to,
        long toToken,
        long atMillis,
        long tookMillis,
        long boundMillis) {

    boolean inTime() {
        return tookMillis <= boundMillis;
    }

    String words() {
        return "%s (token %d) -> %s (token %d) after %.1f s [bound %.1f s]"
                .formatted(from, fromToken, to, toToken, tookMillis / 1000.0, boundMillis / 1000.0);
    }
}
