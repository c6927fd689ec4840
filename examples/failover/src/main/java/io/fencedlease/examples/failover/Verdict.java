package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.Event.Type;
import io.fencedlease.lease.LeaseLostException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the demo finds when it reads its own books: from the database and the events, not from what nodes claim. */
record Verdict(List<Check> checks, List<String> staleWrites, List<String> doubled) {

    /** One claim and whether it holds. */
    record Check(String claim, boolean holds, String found) {}

    boolean clean() {
        return checks.stream().allMatch(Check::holds);
    }

    /** Whether a write of an ended tenure was accepted and something was done twice by it. */
    boolean showsDamage() {
        return !staleWrites.isEmpty() && !doubled.isEmpty();
    }

    /** @param handoversExpected how many changes of the holder the script has */
    static Verdict of(Books books, List<Event> events, List<Handover> handovers, int handoversExpected) {
        List<String> stale = staleWrites(books.ledger(), events);
        List<Check> checks = new ArrayList<>();
        checks.add(closedOnce(books));
        checks.add(balance(books));
        checks.add(new Check(
                "no stale write was accepted",
                stale.isEmpty(),
                stale.isEmpty()
                        ? "the tokens of " + books.ledger().size() + " writes never fall"
                        : stale.size() + " were"));
        checks.add(wokenAreRefused(events));
        checks.add(wokenCompeteAgain(events));
        checks.add(new Check(
                "the lease changed hands " + handoversExpected + " times, each time to a higher token",
                handovers.size() == handoversExpected && handovers.stream().allMatch(h -> h.toToken() > h.fromToken()),
                handovers.stream()
                        .map(h -> h.fromToken() + " -> " + h.toToken())
                        .collect(Collectors.joining(", "))));
        for (Handover h : handovers) {
            checks.add(new Check("in time: " + h.kind(), h.inTime(), h.words()));
        }
        return new Verdict(checks, stale, closedTwice(books));
    }

    private static Check closedOnce(Books books) {
        Map<Integer, Long> times = times(books);
        long missing = books.batches() - times.size();
        long twice = times.values().stream().filter(n -> n > 1).count();
        boolean holds = missing == 0 && twice == 0;
        String found = holds
                ? books.batches() + " batches, " + books.invoices() + " invoices"
                : twice + " more than once, " + missing + " not at all";
        return new Check("every batch is closed exactly once", holds, found);
    }

    private static Check balance(Books books) {
        BigDecimal booked = books.ledger().stream().map(Entry::total).reduce(BigDecimal.ZERO, BigDecimal::add);
        boolean holds = booked.compareTo(books.total()) == 0;
        return new Check(
                "the ledger has the invoices' total", holds, "invoices " + books.total() + ", ledger " + booked);
    }

    /** By the order in the ledger, and by the time at which they became visible: a commit can be late. */
    private static List<String> staleWrites(List<Entry> ledger, List<Event> events) {
        Set<String> stale = new LinkedHashSet<>();
        long highest = 0;
        for (Entry entry : ledger) {
            if (entry.token() < highest) {
                stale.add(words(entry.node(), entry.token(), entry.batch()));
            }
            highest = Math.max(highest, entry.token());
        }
        events.stream()
                .filter(e -> e.type() == Type.STALE)
                .forEach(e -> stale.add(words(e.node(), e.token(), e.batch())));
        return List.copyOf(stale);
    }

    private static String words(String node, long token, int batch) {
        return "%s wrote batch %d with token %d after a higher token had begun".formatted(node, batch, token);
    }

    private static List<String> closedTwice(Books books) {
        List<String> damage = new ArrayList<>();
        times(books).forEach((batch, n) -> {
            if (n > 1) {
                List<Entry> all =
                        books.ledger().stream().filter(e -> e.batch() == batch).toList();
                damage.add("batch %d was closed %d times (%s): %s booked too much"
                        .formatted(
                                batch,
                                n,
                                all.stream()
                                        .map(e -> e.node() + " token " + e.token())
                                        .collect(Collectors.joining(", ")),
                                all.get(0).total().multiply(BigDecimal.valueOf(n - 1))));
            }
        });
        return damage;
    }

    private static Map<Integer, Long> times(Books books) {
        return books.ledger().stream()
                .collect(Collectors.groupingBy(Entry::batch, TreeMap::new, Collectors.counting()));
    }

    /** Refused by the database, that is: a node that noticed by itself proves nothing about the fence. */
    private static Check wokenAreRefused(List<Event> events) {
        return afterEachWaking(
                "each paused holder woke up, wrote, and was refused",
                events,
                (waking, later) -> later.stream().anyMatch(e -> refusedByDatabase(e, waking))
                        && later.stream().noneMatch(e -> wrote(e, waking.token())));
    }

    private static boolean refusedByDatabase(Event event, Event waking) {
        return event.type() == Type.REFUSED
                && event.node().equals(waking.node())
                && event.token() == waking.token()
                && !event.text().contains(LeaseLostException.class.getSimpleName());
    }

    private static Check wokenCompeteAgain(List<Event> events) {
        return afterEachWaking(
                "each of them competes again", events, (waking, later) -> has(later, waking, Type.CANDIDATE));
    }

    private static boolean wrote(Event event, long token) {
        return event.token() == token && (event.type() == Type.ACCEPTED || event.type() == Type.STALE);
    }

    private static boolean has(List<Event> later, Event waking, Type type) {
        return later.stream().anyMatch(e -> e.type() == type && e.node().equals(waking.node()));
    }

    private static Check afterEachWaking(String claim, List<Event> events, BiPredicate<Event, List<Event>> good) {
        List<Integer> wakings = IntStream.range(0, events.size())
                .filter(i -> events.get(i).type() == Type.RESUMED)
                .boxed()
                .toList();
        long found = wakings.stream()
                .filter(i -> good.test(events.get(i), events.subList(i, events.size())))
                .count();
        return new Check(claim, !wakings.isEmpty() && found == wakings.size(), found + " of " + wakings.size());
    }
}
