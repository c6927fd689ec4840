package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import io.fencedlease.lease.Ticker;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** All events in their order; prints each as it comes. Thread-safe. */
final class Timeline {

    private final Ticker ticker;
    private final PrintStream out;
    private final long start;
    private final List<Event> events = new ArrayList<>();
    private Optional<String> broken = Optional.empty();

    Timeline(Ticker ticker, PrintStream out) {
        this.ticker = ticker;
        this.out = out;
        start = ticker.nanos();
    }

    synchronized long millis() {
        return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - start);
    }

    /** Adds what the director itself says. */
    void note(String text) {
        add("", Type.NOTE, 0, 0, text);
    }

    synchronized Event add(String node, Type type, long token, int batch, String text) {
        Event event = new Event(millis(), node, type, token, batch, text);
        events.add(event);
        out.println(row(event));
        notifyAll();
        return event;
    }

    private static String row(Event event) {
        if (event.type() == Type.NOTE) {
            return "%n%s  %s".formatted(event.seconds(), event.text());
        }
        String token = event.token() == 0 ? "" : "token " + event.token();
        return "%s   %-2s %-10s %-11s %s"
                .formatted(
                        event.seconds(),
                        event.node(),
                        token,
                        event.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        event.text());
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Nothing that is waited for will come any more. */
    synchronized void broken(String why) {
        broken = Optional.of(why);
        notifyAll();
    }

    /** The first event from this position on that fits; waits for it. */
    Event await(String what, int from, Predicate<Event> wanted, Duration limit) throws InterruptedException {
        return awaitCount(what, 1, from, wanted, limit);
    }

    /**
     * Waits until so many events from this position on fit; the last of them.
     *
     * @throws ScriptFailedException if they did not come in time
     */
    synchronized Event awaitCount(String what, int count, int from, Predicate<Event> wanted, Duration limit)
            throws InterruptedException {
        long end = ticker.nanos() + limit.toNanos();
        int next = from;
        int left = count;
        while (true) {
            for (; next < events.size(); next++) {
                if (wanted.test(events.get(next)) && --left == 0) {
                    return events.get(next);
                }
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(end - ticker.nanos());
            if (broken.isPresent()) {
                throw new ScriptFailedException(broken.get());
            }
            if (millis <= 0) {
                throw new ScriptFailedException("waited " + limit.toSeconds() + " s in vain: " + what);
            }
            wait(millis);
        }
    }

    /** Where the next event will stand. */
    synchronized int position() {
        return events.size();
    }
}
