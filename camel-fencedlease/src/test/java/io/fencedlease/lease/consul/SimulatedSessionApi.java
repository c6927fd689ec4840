package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.consul.SimulatedSessions.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code /v1/session}. */
final class SimulatedSessionApi {

    private static final Duration LONGEST_TTL = Duration.ofHours(24);
    private static final long DEFAULT_DELAY = 15_000_000_000L;

    private final SimulatedLog log;
    private final Random random;
    private final Duration shortestTtl;

    SimulatedSessionApi(SimulatedLog log, Random random, Duration shortestTtl) {
        this.log = log;
        this.random = random;
        this.shortestTtl = shortestTtl;
    }

    void answer(SimulatedCall call, SimulatedStore view, SimulatedCaller caller) {
        String[] parts = call.path().split("/", 3);
        String verb = parts.length > 1 ? parts[1] : "";
        String id = parts.length > 2 ? parts[2] : "";
        switch (verb) {
            case "create" -> caller.answered(create(call));
            case "renew" -> caller.answered(renew(call, view, id));
            case "destroy" -> caller.answered(destroy(call, id));
            case "info" -> info(call, view, id, caller);
            case "list" -> caller.answered(shown(call, view, view.sessions.all()));
            default -> caller.answered(new SimulatedReply(404, "", 0));
        }
    }

    private SimulatedReply create(SimulatedCall call) {
        call.only("PUT");
        JsonNode wanted = ConsulJson.read(call.body().isEmpty() ? "{}" : call.body());
        if (!wanted.isObject()) {
            throw SimulatedRefusal.malformed(400, "Request decode failed: not an object");
        }
        long delay = lockDelay(wanted.path("LockDelay"));
        if (wanted.path("TTL").isNumber()) {
            throw SimulatedRefusal.malformed(
                    400,
                    "Request decode failed: json: cannot unmarshal number into Go struct field .TTL of type string");
        }
        if (!call.rights().writesSessions()) {
            throw SimulatedRefusal.denied();
        }
        String behavior = wanted.path("Behavior").asText("release");
        if (!behavior.equals("release") && !behavior.equals("delete")) {
            throw SimulatedRefusal.failed("Invalid Behavior setting '" + behavior + "'");
        }
        String ttl = wanted.path("TTL").asText("");
        long ttlNanos = ttl(ttl);
        List<String> checks = checks(wanted);
        for (String check : checks == null ? List.<String>of() : checks) {
            if (!check.equals("serfHealth")) {
                throw SimulatedRefusal.failed("Missing check '" + check + "' registration");
            }
        }
        String id = new UUID(random.nextLong(), random.nextLong()).toString();
        String name = wanted.path("Name").asText("");
        log.write(index -> {
            log.open(new Session(id, name, delay, behavior, ttl, ttlNanos, checks, index));
            return id;
        });
        return SimulatedReply.ok("{\"ID\":\"" + id + "\"}");
    }

    /** A JSON null removes what an absent field keeps. */
    private static @Nullable List<String> checks(JsonNode wanted) {
        if (!wanted.has("NodeChecks")) {
            return List.of("serfHealth");
        }
        if (wanted.get("NodeChecks").isNull()) {
            return null;
        }
        List<String> checks = new ArrayList<>();
        wanted.get("NodeChecks").forEach(check -> checks.add(check.asText()));
        return checks;
    }

    private long ttl(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        String unsigned = text.startsWith("-") ? text.substring(1) : text;
        Duration ttl = GoDuration.parse(unsigned)
                .orElseThrow(() -> SimulatedRefusal.failed("Session TTL '" + text + "' invalid: time: "
                        + (text.matches("\\d+") ? "missing unit in" : "invalid") + " duration \"" + text + "\""));
        if (ttl.isZero()) {
            return 0;
        }
        long nanos = ttl.toNanos() * (text.startsWith("-") ? -1 : 1);
        if (nanos < shortestTtl.toNanos() || nanos > LONGEST_TTL.toNanos()) {
            throw SimulatedRefusal.failed(
                    "Invalid Session TTL '" + nanos + "', must be between [" + shortestTtl.toSeconds() + "s=24h0m0s]");
        }
        return nanos;
    }

    /** Anything below a microsecond, and any number below 1000, is taken for seconds. */
    private static long lockDelay(JsonNode given) {
        if (given.isMissingNode()) {
            return DEFAULT_DELAY;
        }
        if (given.isNumber()) {
            return given.asLong() < 1000 ? given.asLong() * 1_000_000_000L : given.asLong();
        }
        String text = given.asText();
        boolean negative = text.startsWith("-");
        return GoDuration.parse(negative ? text.substring(1) : text)
                .map(delay -> negative ? -delay.toNanos() : delay.toNanos())
                .orElseThrow(() -> SimulatedRefusal.malformed(
                        400, "Request decode failed: time: invalid duration \"" + text + "\""));
    }

    /** No entry of the log: what a leader says that no longer is one is worth nothing. */
    private SimulatedReply renew(SimulatedCall call, SimulatedStore view, String id) {
        call.only("PUT");
        requireId(id);
        Session session = view.sessions.find(id).orElse(null);
        if (session == null) {
            return new SimulatedReply(404, "Session id '" + id + "' not found", 0);
        }
        if (!call.rights().writesSessions()) {
            throw SimulatedRefusal.denied();
        }
        if (!view.isFormer()) {
            log.expiry.arm(session);
        }
        return SimulatedReply.ok(ConsulJson.write(List.of(show(session))));
    }

    private SimulatedReply destroy(SimulatedCall call, String id) {
        call.only("PUT");
        requireId(id);
        Session session = log.store.sessions.find(id).orElse(null);
        if (session != null) {
            if (!call.rights().writesSessions()) {
                throw SimulatedRefusal.denied();
            }
            log.end(session);
        }
        return SimulatedReply.ok("true");
    }

    private static void requireId(String id) {
        if (id.isEmpty()) {
            throw SimulatedRefusal.malformed(400, "Missing session");
        }
    }

    private void info(SimulatedCall call, SimulatedStore view, String id, SimulatedCaller caller) {
        call.only("GET");
        requireId(id);
        view.sessions.find(id);
        log.watches.ofSession(
                id,
                call,
                () -> {
                    SimulatedStore now = current(view);
                    return shown(call, now, now.sessions.find(id).stream().toList());
                },
                caller);
    }

    /** Whoever saw the newest state goes on doing so. */
    private SimulatedStore current(SimulatedStore view) {
        return view.isFormer() ? view : log.store;
    }

    private static SimulatedReply shown(SimulatedCall call, SimulatedStore view, Collection<Session> sessions) {
        List<Map<String, Object>> readable = call.rights().readsSessions()
                ? sessions.stream().map(SimulatedSessionApi::show).toList()
                : List.of();
        return new SimulatedReply(200, ConsulJson.write(readable), view.sessions.index());
    }

    private static Map<String, Object> show(Session session) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("ID", session.id());
        shown.put("Name", session.name());
        shown.put("Node", "test-node");
        shown.put("LockDelay", session.lockDelay());
        shown.put("Behavior", session.behavior());
        shown.put("TTL", session.ttl());
        shown.put("NodeChecks", session.nodeChecks());
        shown.put("ServiceChecks", null);
        shown.put("CreateIndex", session.index());
        shown.put("ModifyIndex", session.index());
        return shown;
    }
}
