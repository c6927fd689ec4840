package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Row.row;
import static io.fencedlease.lease.consul.Scene.NOBODY;
import static io.fencedlease.lease.consul.Scene.is;
import static io.fencedlease.lease.consul.Scene.says;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Creating, renewing and ending sessions. */
final class SessionRows {

    private static final String MALFORMED = "failed session lookup: index error: UUID must be 36 characters";

    private SessionRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(creation());
        rows.addAll(times());
        rows.addAll(life());
        return rows;
    }

    private static List<Row> creation() {
        return List.of(
                row("a new session's answer is its id", s -> {
                    ConsulAnswer answer = s.put("session/create", "{\"NodeChecks\":[]}");
                    is(answer, 200, "{\"ID\":\"" + answer.json().path("ID").asText() + "\"}");
                    assertThat(answer.json().path("ID").asText()).hasSize(36);
                    assertThat(answer.index()).isZero();
                }),
                row("a session created of nothing is bound to serfHealth and has no TTL", s -> {
                    JsonNode stored =
                            s.stored(s.put("session/create").json().path("ID").asText());
                    assertThat(stored.path("NodeChecks").toString()).isEqualTo("[\"serfHealth\"]");
                    assertThat(stored.path("TTL").asText()).isEmpty();
                    assertThat(stored.path("LockDelay").asLong()).isEqualTo(15_000_000_000L);
                    assertThat(stored.path("Behavior").asText()).isEqualTo("release");
                }),
                row("an empty list of node checks is kept", s -> assertThat(
                                s.stored(s.session()).path("NodeChecks").toString())
                        .isEqualTo("[]")),
                row("an empty list of service checks leaves serfHealth", s -> assertThat(
                                s.stored(s.put("session/create", "{\"ServiceChecks\":[]}")
                                                .json()
                                                .path("ID")
                                                .asText())
                                        .path("NodeChecks")
                                        .toString())
                        .isEqualTo("[\"serfHealth\"]")),
                row(
                        "a node check that does not exist",
                        s -> says(
                                s.put("session/create", "{\"NodeChecks\":[\"nope\"]}"),
                                500,
                                "Missing check 'nope' registration")),
                row(
                        "a behaviour that does not exist",
                        s -> says(
                                s.put("session/create", "{\"Behavior\":\"bogus\"}"),
                                500,
                                "Invalid Behavior setting 'bogus'")),
                row("no JSON", s -> says(s.put("session/create", "not json"), 400, "Request decode failed")),
                row("the wrong method", s -> says(s.get("session/create"), 405, "method GET not allowed")));
    }

    private static List<Row> times() {
        return List.of(
                row(
                        "a TTL below the server's least",
                        s -> says(
                                s.put("session/create", "{\"TTL\":\"500ms\"}"),
                                500,
                                "Invalid Session TTL '500000000', must be between [1s=24h0m0s]")),
                row(
                        "a TTL above the server's most",
                        s -> says(
                                s.put("session/create", "{\"TTL\":\"86401s\"}"),
                                500,
                                "Invalid Session TTL '86401000000000'")),
                row(
                        "a TTL without a unit",
                        s -> says(s.put("session/create", "{\"TTL\":\"10\"}"), 500, "Session TTL '10' invalid")),
                row(
                        "a TTL that is no duration",
                        s -> says(s.put("session/create", "{\"TTL\":\"abc\"}"), 500, "Session TTL 'abc' invalid")),
                row(
                        "a TTL that is a number",
                        s -> says(s.put("session/create", "{\"TTL\":10}"), 400, "Request decode failed")),
                row("a TTL is kept as it was written", s -> assertThat(s.stored(s.session("\"TTL\":\"30000ms\""))
                                .path("TTL")
                                .asText())
                        .isEqualTo("30000ms")),
                row("lock-delays are shown in nanoseconds", s -> {
                    assertThat(delay(s, "\"2500ms\"")).isEqualTo(2_500_000_000L);
                    assertThat(delay(s, "\"0s\"")).isZero();
                    assertThat(delay(s, "15")).isEqualTo(15_000_000_000L);
                    assertThat(delay(s, "1500000000")).isEqualTo(1_500_000_000L);
                    assertThat(delay(s, "\"90s\"")).isEqualTo(90_000_000_000L);
                }),
                row(
                        "a lock-delay that is no duration",
                        s -> says(s.put("session/create", "{\"LockDelay\":\"abc\"}"), 400, "Request decode failed")),
                row("an unrenewed session ends, and not before its TTL", s -> {
                    long before = s.consul.nanos();
                    String session = s.session("\"TTL\":\"1s\"");
                    s.consul.until(
                            "expiry",
                            () -> s.get("session/info/" + session).json().isEmpty());
                    assertThat(s.consul.nanos() - before)
                            .isGreaterThan(Duration.ofSeconds(1).toNanos());
                    is(s.put("session/renew/" + session), 404, "Session id '" + session + "' not found");
                }),
                row("a renewal counts the TTL anew", s -> {
                    long before = s.consul.nanos();
                    String session = s.session("\"TTL\":\"1s\"");
                    // often enough for the slowest machine, and longer than twice the TTL
                    s.consul.until("a while of renewals", () -> {
                        says(s.put("session/renew/" + session), 200, session);
                        return s.consul.nanos() - before
                                > Duration.ofMillis(2300).toNanos();
                    });
                }),
                row("the end of a TTL starts the lock-delay", s -> {
                    String session = s.session("\"TTL\":\"1s\",\"LockDelay\":\"60s\"");
                    s.acquired(session, "v");
                    s.consul.until(
                            "expiry",
                            () -> s.get("session/info/" + session).json().isEmpty());
                    assertThat(s.entry().has("Session")).isFalse();
                    is(s.acquire(s.session(), "v"), 200, "false");
                }));
    }

    private static long delay(Scene s, String text) {
        return s.stored(s.session("\"LockDelay\":" + text)).path("LockDelay").asLong();
    }

    private static List<Row> life() {
        return List.of(
                row("a renewal answers the session as stored", s -> {
                    String session = s.session("\"TTL\":\"60s\",\"LockDelay\":\"1s\",\"Name\":\"n\"");
                    ConsulAnswer answer = s.put("session/renew/" + session);
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.json()).hasSize(1);
                    JsonNode stored = answer.json().path(0);
                    assertThat(stored.path("ID").asText()).isEqualTo(session);
                    assertThat(stored.path("Name").asText()).isEqualTo("n");
                    assertThat(stored.path("TTL").asText()).isEqualTo("60s");
                    assertThat(stored.path("Node").asText()).isNotEmpty();
                }),
                row("a renewal moves no index", s -> {
                    String session = s.session("\"TTL\":\"60s\"");
                    long index = s.stored(session).path("ModifyIndex").asLong();
                    assertThat(s.stored(session).path("ModifyIndex").asLong()).isEqualTo(index);
                    assertThat(index).isPositive();
                }),
                row(
                        "a renewal of nobody: 404, and it names the session",
                        s -> is(s.put("session/renew/" + NOBODY), 404, "Session id '" + NOBODY + "' not found")),
                row("a path that is not Consul's: 404 without a body", s -> {
                    is(s.put("wrong/session/renew/" + NOBODY), 404, "");
                    is(s.get("wrong"), 404, "");
                }),
                row("a malformed id", s -> {
                    says(s.put("session/renew/nonsense"), 500, MALFORMED);
                    says(s.put("session/destroy/nonsense"), 500, MALFORMED);
                    says(s.get("session/info/nonsense"), 500, MALFORMED);
                }),
                row("no id", s -> {
                    is(s.put("session/renew/"), 400, "Missing session");
                    is(s.put("session/destroy/"), 400, "Missing session");
                }),
                row("renewal by GET", s -> says(s.get("session/renew/" + NOBODY), 405, "method GET not allowed")),
                row(
                        "the end of nobody's session is a success",
                        s -> is(s.put("session/destroy/" + NOBODY), 200, "true")),
                row("a destroyed session is gone, and may be destroyed again", s -> {
                    String session = s.session();
                    s.destroy(session);
                    is(s.put("session/renew/" + session), 404, "Session id '" + session + "' not found");
                    s.destroy(session);
                }),
                row("a session's info has the index of the table of sessions", s -> {
                    String session = s.session();
                    ConsulAnswer answer = s.get("session/info/" + session);
                    assertThat(answer.json().path(0).path("ID").asText()).isEqualTo(session);
                    assertThat(answer.index())
                            .isEqualTo(answer.json().path(0).path("ModifyIndex").asLong());
                    s.session();
                    assertThat(s.get("session/info/" + session).index()).isGreaterThan(answer.index());
                }),
                row("the info of nobody is an empty list", s -> {
                    ConsulAnswer answer = s.get("session/info/" + NOBODY);
                    is(answer, 200, "[]");
                    assertThat(answer.index()).isPositive();
                }));
    }
}
