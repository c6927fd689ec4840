package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A transaction of operations on keys: all of them or none. Results are found by key: a filtered one is missing. */
final class ConsulTxn {

    /** Of one transaction, in every version of Consul. */
    static final int MAX_OPERATIONS = 64;

    private static final Set<String> READING = Set.of("get", "check-index", "check-session");

    private final List<Map<String, Object>> operations = new ArrayList<>();

    ConsulTxn lock(String key, String value, String session) {
        return add(Map.of("Verb", "lock", "Key", key, "Value", ConsulJson.toBase64(value), "Session", session));
    }

    ConsulTxn unlock(String key, String value, String session) {
        return add(Map.of("Verb", "unlock", "Key", key, "Value", ConsulJson.toBase64(value), "Session", session));
    }

    ConsulTxn checkIndex(String key, long index) {
        return add(Map.of("Verb", "check-index", "Key", key, "Index", index));
    }

    ConsulTxn checkSession(String key, String session) {
        return add(Map.of("Verb", "check-session", "Key", key, "Session", session));
    }

    /** @param index 0 if the key must not exist */
    ConsulTxn cas(String key, String value, long index) {
        return add(Map.of("Verb", "cas", "Key", key, "Value", ConsulJson.toBase64(value), "Index", index));
    }

    ConsulTxn get(String key) {
        return add(Map.of("Verb", "get", "Key", key));
    }

    ConsulTxn add(KvOperation operation) {
        return add(operation.fields());
    }

    ConsulRequest request() {
        return ConsulRequest.put(
                "txn",
                ConsulJson.write(operations.stream()
                        .map(operation -> Map.of("KV", operation))
                        .toList()));
    }

    private ConsulTxn add(Map<String, Object> operation) {
        operations.add(operation);
        return this;
    }

    /** The entry of this key among the results of a transaction that was carried out. */
    static Optional<JsonNode> result(ConsulAnswer answer, String key) {
        for (JsonNode result : answer.json().path("Results")) {
            if (key.equals(result.path("KV").path("Key").asText())) {
                return Optional.of(result.path("KV"));
            }
        }
        return Optional.empty();
    }

    /** The rights, as a policy names them, without which Consul denied operations; of all, where it does not say which. */
    String missingRights(ConsulAnswer answer) {
        Map<Integer, String> errors = errors(answer);
        Set<String> rights = new LinkedHashSet<>();
        for (int i = 0; i < operations.size(); i++) {
            if (errors.isEmpty() || errors.getOrDefault(i, "").contains("Permission denied")) {
                rights.add(right(operations.get(i)));
            }
        }
        return String.join(", ", rights);
    }

    private static String right(Map<String, Object> operation) {
        boolean reads = READING.contains(operation.get("Verb"));
        return "key:" + (reads ? "read" : "write") + " on \"" + operation.get("Key") + "\"";
    }

    /** Why a transaction was refused: each failing operation's number and Consul's words for it. */
    static Map<Integer, String> errors(ConsulAnswer answer) {
        Map<Integer, String> errors = new LinkedHashMap<>();
        for (JsonNode error : answer.json().path("Errors")) {
            errors.put(error.path("OpIndex").asInt(-1), error.path("What").asText(""));
        }
        return errors;
    }
}
