package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A stretch of a node's time, cut out of the events. */
record Span(String node, long token, long fromMillis, long toMillis) {

    /** From each tenure's first work to the moment at which its node knew of its end. */
    static List<Span> tenures(List<Event> events) {
        return between(events, Type.ACQUIRED, EnumSet.of(Type.LOST, Type.RELEASED, Type.ENDED));
    }

    static List<Span> pauses(List<Event> events) {
        return between(events, Type.PAUSED, EnumSet.of(Type.RESUMED));
    }

    /** From the start of each JVM to its end. */
    static List<Span> lives(List<Event> events) {
        return between(events, Type.STARTED, EnumSet.of(Type.ENDED));
    }

    private static List<Span> between(List<Event> events, Type first, Set<Type> last) {
        long end = events.isEmpty() ? 0 : events.get(events.size() - 1).millis();
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            Event began = events.get(i);
            if (began.type() == first) {
                long to = events.subList(i, events.size()).stream()
                        .filter(e -> e.node().equals(began.node()) && last.contains(e.type()))
                        .mapToLong(Event::millis)
                        .findFirst()
                        .orElse(end);
                spans.add(new Span(began.node(), began.token(), began.millis(), to));
            }
        }
        return spans;
    }
}
