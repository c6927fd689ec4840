package io.fencedlease.lease.consul;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What happens to one exchange with a {@link SimulatedConsul} on its way. Times are the world's; the answer is handed
 * over on the node's own timers, so a paused node hears it when it wakes.
 *
 * @param refused nobody listens: fails at once, nothing is executed
 * @param arrivals when the server executes the request, counted from the sending; none: it never arrives; two: it was
 *     duplicated. It is executed also if the client has given up by then. Only the first one's answer is heard
 * @param back how long the answer travels; empty: it is lost
 * @param instead what the client is told in place of the server's answer, executed or not
 */
public record Fate(
        boolean refused, List<Duration> arrivals, Optional<Duration> back, Optional<SimulatedReply> instead) {

    /** Arrives and is answered within the same instant. */
    public static final Fate PROMPT = delayed(Duration.ZERO, Duration.ZERO);

    /** Arrives after a time, is answered after another one. A long first one: executed when nobody waits any more. */
    public static Fate delayed(Duration there, Duration back) {
        return new Fate(false, List.of(there), Optional.of(back), Optional.empty());
    }

    public static Fate connectionRefused() {
        return new Fate(true, List.of(), Optional.empty(), Optional.empty());
    }

    public static Fate requestLost() {
        return new Fate(false, List.of(), Optional.empty(), Optional.empty());
    }

    /** Executed, but the client will never know. */
    public static Fate answerLost(Duration there) {
        return new Fate(false, List.of(there), Optional.empty(), Optional.empty());
    }

    /** Executed a second time, so much after the sending; of that nobody hears. */
    public static Fate duplicated(Duration there, Duration back, Duration again) {
        return new Fate(false, List.of(there, again), Optional.of(back), Optional.empty());
    }

    /** Not executed; somebody on the way answers, as with 429, 502, or {@code 500 rpc error making call: EOF}. */
    public static Fate turnedAway(Duration back, int status, String body) {
        return new Fate(false, List.of(), Optional.of(back), Optional.of(new SimulatedReply(status, body, 0)));
    }

    /** The same way, but the client is told this: executed all the same if it arrives. */
    public Fate saying(int status, String body) {
        return new Fate(refused, arrivals, back, Optional.of(new SimulatedReply(status, body, 0)));
    }

    /** Decides; asked once for each exchange, when it is sent. */
    @FunctionalInterface
    public interface Fates {

        /**
         * @param client the node that sends
         * @param request method, path below {@code /v1/} and query, as in {@code PUT txn} or {@code GET
         *     kv/fencedlease/?keys&separator=/&index=7&wait=60s}
         */
        Fate of(String client, String request);
    }
}
