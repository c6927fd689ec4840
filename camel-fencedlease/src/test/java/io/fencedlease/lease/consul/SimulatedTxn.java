package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.consul.SimulatedKeys.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /v1/txn}: all operations or none. */
final class SimulatedTxn {

    private static final int MOST = 64;

    private record Operation(String verb, String key, String value, long flags, long index, String session) {

        static Operation of(JsonNode node) {
            JsonNode kv = node.path("KV");
            return new Operation(
                    kv.path("Verb").asText(),
                    kv.path("Key").asText(),
                    kv.path("Value").asText(""),
                    kv.path("Flags").asLong(),
                    kv.path("Index").asLong(),
                    kv.path("Session").asText(""));
        }
    }

    private final SimulatedLog log;
    private final List<Map<String, Object>> errors = new ArrayList<>();
    private final List<Map<String, Object>> results = new ArrayList<>();

    SimulatedTxn(SimulatedLog log) {
        this.log = log;
    }

    SimulatedReply answer(SimulatedCall call, SimulatedStore view) {
        call.only("PUT");
        JsonNode body = ConsulJson.read(call.body());
        if (!body.isArray()) {
            throw SimulatedRefusal.malformed(400, "Failed to parse body: no array of operations");
        }
        if (body.size() > MOST) {
            throw SimulatedRefusal.malformed(
                    413, "Transaction contains too many operations (" + body.size() + " > " + MOST + ")");
        }
        List<Operation> operations = new ArrayList<>();
        body.forEach(node -> operations.add(Operation.of(node)));
        boolean reads = SimulatedCall.readsOnly(body);
        for (int i = 0; i < operations.size(); i++) {
            admit(i, operations.get(i), call.rights(), reads);
        }
        if (errors.isEmpty()) {
            if (reads) {
                run(operations, view, 0, call.rights());
            } else {
                log.write(index -> run(operations, log.store, index, call.rights()));
            }
        }
        return errors.isEmpty() ? reply(200, results, null, reads) : reply(409, null, errors, false);
    }

    /** What the leader looks at before anything is proposed. */
    private void admit(int number, Operation operation, SimulatedRights rights, boolean reads) {
        boolean allowed =
                switch (operation.verb()) {
                    case "get", "get-tree" -> true;
                    case "check-session", "check-index" -> rights.reads(operation.key());
                    default -> rights.writes(operation.key());
                };
        if (!allowed) {
            error(number, "Permission denied");
        } else if (operation.verb().equals("lock") && log.delays.shut(operation.key())) {
            error(number, "failed to lock key \"" + operation.key() + "\" due to lock delay");
        }
    }

    private boolean run(List<Operation> operations, SimulatedStore store, long index, SimulatedRights rights) {
        for (int i = 0; i < operations.size(); i++) {
            try {
                Operation operation = operations.get(i);
                boolean withValue = operation.verb().startsWith("get");
                for (Entry entry : run(operation, store, index)) {
                    if (rights.reads(entry.key())) {
                        results.add(Map.of("KV", SimulatedKeyApi.show(entry, withValue)));
                    }
                }
            } catch (SimulatedRefusal refusal) {
                error(i, refusal.text());
            }
        }
        if (!errors.isEmpty()) {
            store.keys.rollBack();
        }
        return errors.isEmpty();
    }

    private static Collection<Entry> run(Operation o, SimulatedStore store, long index) {
        SimulatedKeys keys = store.keys;
        String quoted = "key \"" + o.key() + "\"";
        switch (o.verb()) {
            case "set":
                return List.of(keys.set(index, o.key(), o.value(), o.flags()));
            case "cas":
                return need(
                        keys.cas(index, o.key(), o.value(), o.flags(), o.index()),
                        "failed to set " + quoted + ", index is stale");
            case "lock":
                store.sessions.requireAlive(o.session());
                return need(
                        keys.lock(index, o.key(), o.value(), o.flags(), o.session()),
                        "failed to lock " + quoted + ", lock is already held");
            case "unlock":
                if (o.session().isEmpty()) {
                    throw SimulatedRefusal.failed("missing session");
                }
                return need(
                        keys.unlock(index, o.key(), o.value(), o.flags(), o.session()),
                        "failed to unlock " + quoted + ", lock isn't held, or is held by another session");
            case "get":
                return need(Optional.ofNullable(keys.get(o.key())), quoted + " doesn't exist");
            case "get-tree":
                return keys.under(o.key());
            case "check-index":
                return List.of(checkIndex(o, keys));
            case "check-session":
                return List.of(checkSession(o, keys));
            case "check-not-exists":
                if (keys.get(o.key()) != null) {
                    throw SimulatedRefusal.failed(quoted + " exists");
                }
                return List.of();
            case "delete":
                keys.delete(index, o.key());
                return List.of();
            case "delete-cas":
                if (!keys.deleteCas(index, o.key(), o.index())) {
                    throw SimulatedRefusal.failed("failed to delete " + quoted + ", index is stale");
                }
                return List.of();
            case "delete-tree":
                keys.deleteTree(index, o.key());
                return List.of();
            default:
                throw SimulatedRefusal.failed("unknown KV verb \"" + o.verb() + "\"");
        }
    }

    private static Entry checkIndex(Operation o, SimulatedKeys keys) {
        Entry entry = need(
                        Optional.ofNullable(keys.get(o.key())),
                        "failed to check index, key \"" + o.key() + "\" doesn't exist")
                .iterator()
                .next();
        if (entry.modifyIndex() != o.index()) {
            throw SimulatedRefusal.failed("failed index check for key \"" + o.key() + "\", current modify index "
                    + entry.modifyIndex() + " != " + o.index());
        }
        return entry;
    }

    private static Entry checkSession(Operation o, SimulatedKeys keys) {
        Entry entry = need(
                        Optional.ofNullable(keys.get(o.key())),
                        "failed to check session, key \"" + o.key() + "\" doesn't exist")
                .iterator()
                .next();
        if (!entry.session().equals(o.session())) {
            throw SimulatedRefusal.failed("failed session check for key \"" + o.key() + "\", current session \""
                    + entry.session() + "\" != \"" + o.session() + "\"");
        }
        return entry;
    }

    private static Collection<Entry> need(Optional<Entry> entry, String otherwise) {
        return List.of(entry.orElseThrow(() -> SimulatedRefusal.failed(otherwise)));
    }

    private void error(int number, String what) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("OpIndex", number);
        error.put("What", what);
        errors.add(error);
    }

    private static SimulatedReply reply(
            int status, @Nullable Object results, @Nullable Object errors, boolean fromRead) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Results", results);
        body.put("Errors", errors);
        if (fromRead) {
            body.put("Index", 0);
            body.put("LastContact", 0);
            body.put("KnownLeader", true);
            body.put("ConsistencyLevel", "");
        }
        return new SimulatedReply(status, ConsulJson.write(body), 0);
    }
}
