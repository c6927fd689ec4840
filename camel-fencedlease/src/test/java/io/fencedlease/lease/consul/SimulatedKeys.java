package io.fencedlease.lease.consul;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Entries and which index moves when: the state machine behind {@code /v1/kv}. Values are kept in base64. */
final class SimulatedKeys {

    record Entry(
            String key, String value, long flags, String session, long lockIndex, long createIndex, long modifyIndex) {

        boolean sameBut(Entry index) {
            return value.equals(index.value)
                    && flags == index.flags
                    && session.equals(index.session)
                    && lockIndex == index.lockIndex;
        }
    }

    private final NavigableMap<String, Entry> entries = new TreeMap<>();
    private final NavigableMap<String, Long> tombstones = new TreeMap<>();
    private final Set<String> touched = new TreeSet<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private long tableIndex;

    SimulatedKeys copy() {
        SimulatedKeys copy = new SimulatedKeys();
        copy.entries.putAll(entries);
        copy.tombstones.putAll(tombstones);
        copy.tableIndex = tableIndex;
        return copy;
    }

    @Nullable
    Entry get(String key) {
        return entries.get(key);
    }

    Collection<Entry> under(String prefix) {
        return prefix.isEmpty()
                ? entries.values()
                : entries.subMap(prefix, prefix + Character.MAX_VALUE).values();
    }

    /** As a reader of the whole folder is told; with nothing in it, that of all keys. */
    long indexUnder(String prefix) {
        long index = 0;
        if (!prefix.isEmpty()) {
            for (Entry entry : under(prefix)) {
                index = Math.max(index, entry.modifyIndex());
            }
            for (long deleted :
                    tombstones.subMap(prefix, prefix + Character.MAX_VALUE).values()) {
                index = Math.max(index, deleted);
            }
        }
        return Math.max(1, index == 0 ? tableIndex : index);
    }

    long indexOf(String key) {
        Entry entry = entries.get(key);
        return Math.max(1, entry == null ? tableIndex : entry.modifyIndex());
    }

    /** A plain write: keeps the holder, forgets the LockIndex. */
    Entry set(long index, String key, String value, long flags) {
        Entry old = entries.get(key);
        return store(index, key, value, flags, old == null ? "" : old.session(), 0);
    }

    /** Empty if the index is stale. */
    Optional<Entry> cas(long index, String key, String value, long flags, long expected) {
        return current(key) == expected ? Optional.of(set(index, key, value, flags)) : Optional.empty();
    }

    /** Empty if another session holds it. The session is known to live. */
    Optional<Entry> lock(long index, String key, String value, long flags, String session) {
        Entry old = entries.get(key);
        if (old == null) {
            return Optional.of(store(index, key, value, flags, session, 1));
        }
        boolean ours = old.session().equals(session);
        if (!ours && !old.session().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(store(index, key, value, flags, session, ours ? old.lockIndex() : old.lockIndex() + 1));
    }

    /** Empty if this session does not hold it. */
    Optional<Entry> unlock(long index, String key, String value, long flags, String session) {
        Entry old = entries.get(key);
        return old == null || !old.session().equals(session)
                ? Optional.empty()
                : Optional.of(store(index, key, value, flags, "", old.lockIndex()));
    }

    /** The end of a holder's session. */
    void released(long index, Entry held) {
        store(index, held.key(), held.value(), held.flags(), "", held.lockIndex());
    }

    List<Entry> heldBy(String session) {
        return entries.values().stream()
                .filter(entry -> entry.session().equals(session))
                .toList();
    }

    void delete(long index, String key) {
        if (entries.containsKey(key)) {
            change(key, null, index);
        }
    }

    /** False if the index is stale; a key that is not there has 0. */
    boolean deleteCas(long index, String key, long expected) {
        if (current(key) != expected) {
            return false;
        }
        delete(index, key);
        return true;
    }

    void deleteTree(long index, String prefix) {
        List.copyOf(under(prefix)).forEach(entry -> delete(index, entry.key()));
    }

    private long current(String key) {
        Entry entry = entries.get(key);
        return entry == null ? 0 : entry.modifyIndex();
    }

    private Entry store(long index, String key, String value, long flags, String session, long lockIndex) {
        Entry old = entries.get(key);
        long created = old == null ? index : old.createIndex();
        Entry next = new Entry(key, value, flags, session, lockIndex, created, index);
        if (old != null && old.sameBut(next)) {
            return old;
        }
        change(key, next, index);
        return next;
    }

    private void change(String key, @Nullable Entry next, long index) {
        Entry old = entries.get(key);
        Long tombstone = tombstones.get(key);
        long table = tableIndex;
        undo.push(() -> {
            put(entries, key, old);
            put(tombstones, key, tombstone);
            tableIndex = table;
        });
        put(entries, key, next);
        if (next == null) {
            tombstones.put(key, index);
        }
        tableIndex = index;
        touched.add(key);
    }

    private static <T> void put(NavigableMap<String, T> map, String key, @Nullable T value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }

    /** Takes back what was changed since {@link #settle}. */
    void rollBack() {
        undo.forEach(Runnable::run);
        settle();
    }

    /** The keys changed since the last call, which now cannot be taken back any more. */
    Set<String> settle() {
        Set<String> changed = touched.isEmpty() ? Set.of() : new TreeSet<>(touched);
        touched.clear();
        undo.clear();
        return changed;
    }
}
