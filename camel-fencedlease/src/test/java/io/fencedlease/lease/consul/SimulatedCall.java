package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A request as the server understands it. */
record SimulatedCall(String method, String path, Map<String, String> query, String body, SimulatedRights rights) {

    static SimulatedCall of(ConsulRequest request) {
        Map<String, String> query = new HashMap<>();
        if (!request.query().isEmpty()) {
            for (String part : request.query().split("&")) {
                int equals = part.indexOf('=');
                query.put(equals < 0 ? part : part.substring(0, equals), equals < 0 ? "" : part.substring(equals + 1));
            }
        }
        return new SimulatedCall(request.method(), request.path(), query, request.body(), SimulatedRights.NONE);
    }

    SimulatedCall with(SimulatedRights other) {
        return new SimulatedCall(method, path, query, body, other);
    }

    boolean has(String parameter) {
        return query.containsKey(parameter);
    }

    String get(String parameter) {
        return query.getOrDefault(parameter, "");
    }

    long number(String parameter) {
        try {
            return has(parameter) ? Long.parseUnsignedLong(get(parameter)) : 0;
        } catch (NumberFormatException e) {
            throw SimulatedRefusal.malformed(400, "Invalid " + parameter);
        }
    }

    /** Of a blocking query. */
    long index() {
        return number("index");
    }

    /** How long a blocking query is to be held. */
    Duration hold() {
        return has("wait")
                ? GoDuration.parse(get("wait")).orElseThrow(() -> SimulatedRefusal.malformed(400, "Invalid wait time"))
                : Duration.ZERO;
    }

    void only(String... methods) {
        for (String allowed : methods) {
            if (allowed.equals(method)) {
                return;
            }
        }
        throw SimulatedRefusal.malformed(405, "method " + method + " not allowed");
    }

    /** What a leader answers that has lost the others and does not know it: renewals too are its own affair. */
    boolean needsNoQuorum() {
        return path.startsWith("session/renew/") || isRead() && !has("consistent");
    }

    private boolean isRead() {
        return method.equals("GET") || path.equals("txn") && readsOnly(ConsulJson.read(body));
    }

    static boolean readsOnly(JsonNode operations) {
        for (JsonNode operation : operations) {
            String verb = operation.path("KV").path("Verb").asText();
            if (!verb.startsWith("get") && !verb.startsWith("check-")) {
                return false;
            }
        }
        return true;
    }
}
