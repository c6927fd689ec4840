package io.fencedlease.simulation;

import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.consul.Fate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Decides, by one random sequence, what goes wrong: each schedule draws which faults it has and how often. After the
 * faults have ended it is gentle: small delays, nothing lost.
 */
final class Nemesis {

    /** What the network between a node and one other side does. */
    enum Weather {
        FAIR,
        /** Nothing arrives anywhere. */
        CUT,
        /** Requests arrive and are done; answers do not. */
        MUTE,
        /** Everything arrives late. */
        SLOW,
        /** Connections are refused at once. */
        REFUSED
    }

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private final World world;
    private final RandomGenerator random;
    private final long ttl;
    private final long end;
    private final Map<String, Weather> weather = new HashMap<>();

    final int pauseOneIn;
    final double wholeProcess;
    final double lost;
    final double late;
    final double twice;
    final double errors;
    final boolean hangs;

    Nemesis(World world, LeaseSettings settings, long end) {
        this.world = world;
        this.random = world.random;
        this.ttl = settings.ttl().toNanos();
        this.end = end;
        this.pauseOneIn = oneOf(0, 300, 1_000, 4_000);
        this.wholeProcess = random.nextInt(3) * 0.5;
        this.lost = oneOf(0, 0, 2, 10) / 100.0;
        this.late = oneOf(0, 1, 5) / 100.0;
        this.twice = oneOf(0, 1, 5) / 100.0;
        this.errors = oneOf(0, 0, 2, 10) / 100.0;
        this.hangs = random.nextInt(3) == 0;
    }

    private int oneOf(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    boolean isOver() {
        return world.now() >= end;
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    long upTo(long most) {
        return most <= 0 ? 0 : random.nextLong(most) + 1;
    }

    /** Not beyond the end of all faults. */
    long duringFaults(long length) {
        return Math.max(0, Math.min(length, end - world.now()));
    }

    /** How long the code that runs now is paused; mostly not at all. */
    long pause() {
        if (pauseOneIn == 0 || isOver() || random.nextInt(pauseOneIn) != 0) {
            return 0;
        }
        return duringFaults(someLength());
    }

    /** The same where it matters most, as between the last look at the lease and the write. */
    long likelyPause() {
        return pauseOneIn == 0 || isOver() || random.nextInt(30) != 0 ? 0 : duringFaults(someLength());
    }

    boolean pausesWholeProcess() {
        return chance(wholeProcess);
    }

    /** Of all magnitudes, from a moment to several TTLs. */
    long someLength() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> upTo(5 * MILLI);
            case 2, 3 -> upTo(SECOND);
            case 4 -> upTo(ttl);
            default -> upTo(3 * ttl);
        };
    }

    /** Until a thread takes up a task. */
    long threadDelay() {
        if (!isOver() && hangs && random.nextInt(200) == 0) {
            return duringFaults(someLength());
        }
        return random.nextLong(50_000);
    }

    /** Between two threads that were paused together, none is first. */
    long disorder(long span) {
        return random.nextBoolean() ? 0 : upTo(span + MILLI);
    }

    Weather weather(String node, String side) {
        return isOver() ? Weather.FAIR : weather.getOrDefault(node + side, Weather.FAIR);
    }

    void weather(String node, String side, Weather now) {
        weather.put(node + side, now);
    }

    boolean losesMessage() {
        return !isOver() && chance(lost);
    }

    boolean repeatsMessage() {
        return !isOver() && chance(twice);
    }

    /** What happens to one exchange. */
    Fate fate(Weather now) {
        return switch (now) {
            case REFUSED -> Fate.connectionRefused();
            case CUT -> Fate.requestLost();
            case MUTE -> Fate.answerLost(Duration.ofNanos(way(now)));
            case SLOW -> Fate.delayed(Duration.ofNanos(way(now)), Duration.ofNanos(way(now)));
            case FAIR -> fair();
        };
    }

    private Fate fair() {
        Duration there = Duration.ofNanos(way(Weather.FAIR));
        Duration back = Duration.ofNanos(way(Weather.FAIR));
        Fate good = Fate.delayed(there, back);
        if (isOver()) {
            return good;
        }
        if (chance(lost)) {
            return random.nextBoolean() ? Fate.requestLost() : Fate.answerLost(there);
        }
        if (chance(twice)) {
            return Fate.duplicated(there, back, Duration.ofNanos(duringFaults(someLength())));
        }
        if (chance(errors)) {
            return switch (random.nextInt(6)) {
                case 0 -> Fate.turnedAway(back, 429, "rate limit reached");
                case 1 -> Fate.turnedAway(back, 500, "rpc error making call: EOF");
                case 2 -> good.saying(500, "rpc error making call: EOF");
                case 3 -> good.saying(404, "");
                case 4 -> good.saying(200, "false");
                default -> Fate.turnedAway(back, 200, "<html>log in first</html>");
            };
        }
        return good;
    }

    /** How long a message is under way. Late ones arrive before the faults end, so that healed means healed. */
    long way(Weather now) {
        long fair = 100_000 + random.nextLong(MILLI);
        if (isOver()) {
            return fair;
        }
        if (now == Weather.SLOW) {
            return duringFaults(upTo(ttl / 5));
        }
        return chance(late) ? duringFaults(someLength()) : fair;
    }
}
