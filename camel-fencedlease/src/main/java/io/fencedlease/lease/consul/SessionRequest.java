package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.LeaseSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The session we want, and whether a stored one is it. Everything is said: what is left out, Consul chooses. */
record SessionRequest(LeaseSettings times, ConsulSettings consul, String holder) {

    ConsulRequest request() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Name", holder);
        body.put("TTL", times.ttl().toMillis() + "ms");
        // as text with a unit: Consul reads a small number as seconds, a large one as nanoseconds
        body.put("LockDelay", times.lockDelay().toMillis() + "ms");
        body.put("Behavior", "release");
        // an absent list would bind serfHealth
        body.put("NodeChecks", consul.nodeChecks());
        body.put(
                "ServiceChecks",
                consul.serviceChecks().stream().map(id -> Map.of("ID", id)).toList());
        return ConsulRequest.put("session/create", ConsulJson.write(body));
    }

    /**
     * The first difference that harms; a longer TTL does not (servers may ask for fewer renewals).
     *
     * @return empty if the stored session is as wanted
     */
    Optional<String> difference(JsonNode stored) {
        Duration ttl = GoDuration.parse(stored.path("TTL").asText("")).orElse(Duration.ZERO);
        if (ttl.compareTo(times.ttl()) < 0) {
            return differs("TTL", stored.path("TTL"), times.ttl().toMillis() + "ms");
        }
        if (stored.path("LockDelay").asLong(-1) != times.lockDelay().toNanos()) {
            return differs(
                    "LockDelay", stored.path("LockDelay"), times.lockDelay().toNanos());
        }
        if (!"release".equals(stored.path("Behavior").asText())) {
            return differs("Behavior", stored.path("Behavior"), "release");
        }
        if (!ids(stored.path("NodeChecks")).equals(consul.nodeChecks())) {
            return differs("NodeChecks", stored.path("NodeChecks"), consul.nodeChecks());
        }
        if (!ids(stored.path("ServiceChecks")).equals(consul.serviceChecks())) {
            return differs("ServiceChecks", stored.path("ServiceChecks"), consul.serviceChecks());
        }
        return Optional.empty();
    }

    private static Optional<String> differs(String field, Object stored, Object wanted) {
        return Optional.of(
                "session differs from what was asked for: " + field + " is " + stored + ", wanted " + wanted);
    }

    private static List<String> ids(JsonNode checks) {
        List<String> ids = new ArrayList<>();
        checks.forEach(check ->
                ids.add(check.isTextual() ? check.asText() : check.path("ID").asText()));
        return ids;
    }
}
