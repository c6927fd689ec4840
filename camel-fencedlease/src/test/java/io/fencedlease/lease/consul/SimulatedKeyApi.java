package io.fencedlease.lease.consul;

import io.fencedlease.lease.consul.SimulatedKeys.Entry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** {@code /v1/kv}. */
final class SimulatedKeyApi {

    private static final int MOST_BYTES = 512 * 1024;

    private final SimulatedLog log;

    SimulatedKeyApi(SimulatedLog log) {
        this.log = log;
    }

    void answer(SimulatedCall call, SimulatedStore view, SimulatedCaller caller) {
        call.only("GET", "PUT", "DELETE");
        String key = call.path().substring("kv/".length());
        if (key.startsWith("/")) {
            caller.answered(new SimulatedReply(301, "", 0));
            return;
        }
        boolean folder = call.has("recurse") || call.has("keys");
        if (key.isEmpty() && !folder) {
            throw SimulatedRefusal.malformed(400, "Missing key name");
        }
        switch (call.method()) {
            case "GET" -> read(call, view, key, caller);
            case "PUT" -> caller.answered(put(call, key));
            default -> caller.answered(delete(call, key));
        }
    }

    private void read(SimulatedCall call, SimulatedStore view, String key, SimulatedCaller caller) {
        if (call.has("consistent") && call.has("stale")) {
            throw SimulatedRefusal.malformed(400, "Cannot specify ?stale with ?consistent, conflicting semantics.");
        }
        Function<SimulatedKeys, SimulatedReply> query;
        if (call.has("keys")) {
            query = keys -> names(call, keys, key);
        } else if (call.has("recurse")) {
            query = keys -> entries(
                    keys.under(key).stream()
                            .filter(entry -> call.rights().reads(entry.key()))
                            .toList(),
                    keys.indexUnder(key));
        } else {
            if (!call.rights().reads(key)) {
                throw SimulatedRefusal.denied();
            }
            query = keys -> {
                Entry entry = keys.get(key);
                return entries(entry == null ? List.of() : List.of(entry), keys.indexOf(key));
            };
        }
        log.watches.ofKeys(key, call, () -> query.apply(view.isFormer() ? view.keys : log.store.keys), caller);
    }

    private static SimulatedReply names(SimulatedCall call, SimulatedKeys keys, String prefix) {
        String separator = call.get("separator");
        Set<String> names = new TreeSet<>();
        for (Entry entry : keys.under(prefix)) {
            if (call.rights().reads(entry.key())) {
                int end = separator.isEmpty() ? -1 : entry.key().indexOf(separator, prefix.length());
                names.add(end < 0 ? entry.key() : entry.key().substring(0, end + separator.length()));
            }
        }
        return names.isEmpty() && !prefix.isEmpty()
                ? new SimulatedReply(404, "", keys.indexUnder(prefix))
                : new SimulatedReply(200, ConsulJson.write(names), keys.indexUnder(prefix));
    }

    private static SimulatedReply entries(Collection<Entry> found, long index) {
        return found.isEmpty()
                ? new SimulatedReply(404, "", index)
                : new SimulatedReply(
                        200,
                        ConsulJson.write(
                                found.stream().map(entry -> show(entry, true)).toList()),
                        index);
    }

    static Map<String, Object> show(Entry entry, boolean withValue) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("LockIndex", entry.lockIndex());
        shown.put("Key", entry.key());
        shown.put("Flags", entry.flags());
        shown.put("Value", withValue && !entry.value().isEmpty() ? entry.value() : null);
        if (!entry.session().isEmpty()) {
            shown.put("Session", entry.session());
        }
        shown.put("CreateIndex", entry.createIndex());
        shown.put("ModifyIndex", entry.modifyIndex());
        return shown;
    }

    private SimulatedReply put(SimulatedCall call, String key) {
        if (List.of("acquire", "release", "cas").stream().filter(call::has).count() > 1) {
            throw SimulatedRefusal.malformed(400, "Conflicting flags: " + call.query());
        }
        long flags = call.number("flags");
        long expected = call.number("cas");
        if (call.body().length() > MOST_BYTES) {
            throw SimulatedRefusal.malformed(
                    413,
                    "Request body(" + call.body().length() + " bytes) too large, max size: " + MOST_BYTES + " bytes");
        }
        if (!call.rights().writes(key)) {
            throw SimulatedRefusal.denied();
        }
        String value = ConsulJson.toBase64(call.body());
        SimulatedKeys keys = log.store.keys;
        if (call.has("acquire")) {
            String session = call.get("acquire");
            // before anything else: inside lock-delay nobody looks at the session
            return bool(!log.delays.shut(key)
                    && log.write(index -> {
                        log.store.sessions.requireAlive(session);
                        return keys.lock(index, key, value, flags, session).isPresent();
                    }));
        }
        if (call.has("release")) {
            String session = call.get("release");
            if (session.isEmpty()) {
                throw SimulatedRefusal.failed("missing session");
            }
            return bool(log.write(
                    index -> keys.unlock(index, key, value, flags, session).isPresent()));
        }
        return bool(log.write(index -> {
            if (call.has("cas")) {
                return keys.cas(index, key, value, flags, expected).isPresent();
            }
            keys.set(index, key, value, flags);
            return true;
        }));
    }

    private SimulatedReply delete(SimulatedCall call, String key) {
        if (!call.rights().writes(key)) {
            throw SimulatedRefusal.denied();
        }
        SimulatedKeys keys = log.store.keys;
        return bool(log.write(index -> {
            if (call.has("cas")) {
                return keys.deleteCas(index, key, call.number("cas"));
            }
            if (call.has("recurse")) {
                keys.deleteTree(index, key);
            } else {
                keys.delete(index, key);
            }
            return true;
        }));
    }

    private static SimulatedReply bool(boolean value) {
        return SimulatedReply.ok(String.valueOf(value));
    }
}
