package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What happens in the demo, step by step. Every step waits for what it wants to see, none for time to pass. */
final class Script {

    /** How many times the holder changes. */
    static final int HANDOVERS = 4;

    /** For things that are slow only on a slow machine, such as starting a JVM. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DemoOptions options;
    private final Bounds bounds;
    private final Timeline timeline;
    private final Cast cast;
    private final List<Handover> handovers = new ArrayList<>();

    Script(DemoOptions options, Bounds bounds, Timeline timeline, Cast cast) {
        this.options = options;
        this.bounds = bounds;
        this.timeline = timeline;
        this.cast = cast;
    }

    List<Handover> handovers() {
        return List.copyOf(handovers);
    }

    /** @param batches how many there are to close */
    void run(int batches) throws IOException, InterruptedException {
        timeline.note("Node A starts alone, takes the lease and closes batches; the others wait.");
        cast.start("A");
        // a demo that was killed may have left its lease in Consul
        Duration firstTenure = bounds.afterPause().plus(PATIENCE);
        Event holder = timeline.await("A acquires", 0, is("A", Type.ACQUIRED), firstTenure);
        for (int i = 1; i < options.nodes(); i++) {
            startCandidate(String.valueOf((char) ('A' + i)));
        }
        timeline.awaitCount("A closes batches", 4, 0, closedUnder(holder.token()), PATIENCE);

        holder = pause(holder, PausePoint.BEFORE_WRITE);
        String stopped = holder.node();
        holder = stopPolitely(holder);
        startCandidate(stopped);
        holder = pause(holder, PausePoint.BEFORE_COMMIT);
        stopPolitely(holder);
        timeline.note("The rest is closed.");
        closedAll(batches);
    }

    private void startCandidate(String name) throws IOException, InterruptedException {
        int from = timeline.position();
        cast.start(name);
        timeline.await(name + " is a candidate", from, is(name, Type.CANDIDATE), PATIENCE);
    }

    /** Pauses the holder at this point, sees somebody else take over, wakes it up. The new tenure's event. */
    private Event pause(Event holder, PausePoint point) throws InterruptedException {
        String name = holder.node();
        NodeProcess node = cast.get(name);
        timeline.note(name + " is paused " + point.words() + ".");
        int from = timeline.position();
        node.holdAt(point);
        timeline.await(name + " reaches the point", from, is(name, Type.AT_POINT), PATIENCE);
        node.pause();
        Event paused = timeline.add(name, Type.PAUSED, holder.token(), 0, "SIGSTOP");
        boolean inside = point == PausePoint.BEFORE_COMMIT;
        Duration bound = inside ? bounds.afterPauseInside() : bounds.afterPause();
        Event next =
                takeOver(inside ? "paused inside its transaction" : "paused before its write", holder, paused, bound);
        timeline.awaitCount(next.node() + " closes batches", 5, 0, closedUnder(next.token()), PATIENCE);

        from = timeline.position();
        timeline.add(name, Type.RESUMED, holder.token(), 0, "SIGCONT: it goes on with its write");
        node.resume();
        // either way the demo goes on; which way is for the verdict
        Predicate<Event> outcome = is(name, Type.REFUSED).or(is(name, Type.STALE));
        timeline.await("the outcome of " + name + "'s write", from, outcome, PATIENCE);
        timeline.await(name + " is a candidate again", from, is(name, Type.CANDIDATE), PATIENCE);
        timeline.awaitCount(next.node() + " goes on", 5, from, closedUnder(next.token()), PATIENCE);
        return next;
    }

    /** Stops the holder by SIGTERM and sees somebody else take over at once. The new tenure's event. */
    private Event stopPolitely(Event holder) throws InterruptedException {
        String name = holder.node();
        timeline.note(name + " stops politely: it drains, then gives the lease back.");
        int from = timeline.position();
        Event stopping = timeline.add(name, Type.STOPPING, holder.token(), 0, "SIGTERM");
        cast.get(name).stop();
        Event next = takeOver("stopped politely", holder, stopping, bounds.afterStop());
        timeline.await(name + " ends", from, is(name, Type.ENDED), PATIENCE);
        return next;
    }

    private Event takeOver(String kind, Event old, Event began, Duration bound) throws InterruptedException {
        Predicate<Event> higher = e -> e.type() == Type.ACQUIRED && e.token() > old.token();
        Event next = timeline.await("somebody takes over from " + old.node(), 0, higher, bound.plus(PATIENCE));
        Handover handover = new Handover(
                kind,
                old.node(),
                old.token(),
                next.node(),
                next.token(),
                next.millis(),
                next.millis() - began.millis(),
                bound.toMillis());
        handovers.add(handover);
        timeline.add(next.node(), Type.TOOK_OVER, next.token(), 0, handover.words());
        return next;
    }

    private void closedAll(int batches) throws InterruptedException {
        Predicate<Event> last = e -> e.type() == Type.ACCEPTED && e.batch() == batches;
        timeline.await("batch " + batches + " is closed", 0, last, PATIENCE.multipliedBy(2));
    }

    private static Predicate<Event> is(String node, Type type) {
        return e -> e.node().equals(node) && e.type() == type;
    }

    private static Predicate<Event> closedUnder(long token) {
        return e -> e.type() == Type.ACCEPTED && e.token() == token;
    }
}
