package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Row.row;
import static io.fencedlease.lease.consul.Scene.NOBODY;
import static io.fencedlease.lease.consul.Scene.conflict;
import static io.fencedlease.lease.consul.Scene.is;
import static io.fencedlease.lease.consul.Scene.result;
import static io.fencedlease.lease.consul.Scene.says;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A Consul that denies by default. */
final class RightRows {

    private static final SimulatedRights SESSIONS = SimulatedRights.sessions("write");
    private static final SimulatedRights KEYS = SimulatedRights.sessions("").andKeys("table/", "write");
    private static final SimulatedRights READER = SESSIONS.andKeys("table/", "read");
    private static final String DENIED = "Permission denied";

    private RightRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(sessions());
        rows.addAll(keys());
        rows.addAll(tokens());
        return rows;
    }

    private static List<Row> sessions() {
        return List.of(
                row("two rights are enough", m -> {
                    Scene s = m.with(SESSIONS.andKeys("table/", "write"));
                    String session = s.session();
                    s.acquired(session, "v");
                    assertThat(s.entry().path("Session").asText()).isEqualTo(session);
                    assertThat(s.get("session/info/" + session).json()).hasSize(1);
                    s.destroy(session);
                }),
                row("without a right on sessions they are neither made, renewed nor ended", m -> {
                    Scene s = m.with(KEYS);
                    String session = m.session();
                    says(s.put("session/create", "{\"NodeChecks\":[]}"), 403, DENIED);
                    says(s.put("session/renew/" + session), 403, DENIED);
                    says(s.put("session/destroy/" + session), 403, DENIED);
                    assertThat(m.put("session/renew/" + session).status()).isEqualTo(200);
                }),
                row("whether a session is there is looked at before the right", m -> {
                    Scene s = m.with(KEYS);
                    is(s.put("session/renew/" + NOBODY), 404, "Session id '" + NOBODY + "' not found");
                    is(s.put("session/destroy/" + NOBODY), 200, "true");
                }),
                row("a session that may not be read looks gone", m -> {
                    ConsulAnswer answer = m.with(KEYS).get("session/info/" + m.session());
                    is(answer, 200, "[]");
                    assertThat(answer.index()).isPositive();
                }),
                row("the right to read sessions shows them, and renews none", m -> {
                    Scene s = m.with(SimulatedRights.sessions("read"));
                    String session = m.session();
                    assertThat(s.get("session/info/" + session).json()).hasSize(1);
                    says(s.put("session/renew/" + session), 403, DENIED);
                }),
                row("anybody's session will do for a lock", m -> {
                    Scene s = m.with(KEYS);
                    s.acquired(m.session(), "v");
                }));
    }

    private static List<Row> keys() {
        return List.of(
                row("without a right on keys nothing is locked, written, released or deleted", m -> {
                    Scene s = m.with(SESSIONS);
                    String session = s.session();
                    says(s.acquire(session, "v"), 403, DENIED);
                    says(s.put("kv/" + s.key, "v"), 403, DENIED);
                    says(s.put("kv/" + s.key + "?release=" + session), 403, DENIED);
                    says(s.delete("kv/" + s.key), 403, DENIED);
                    conflict(s.txn(List.of(s.lock(session, "v"))), "0: " + DENIED);
                    assertThat(m.get("kv/" + s.key).status()).isEqualTo(404);
                }),
                row("a key that may not be read is denied; its folder looks empty", m -> {
                    Scene s = m.with(SESSIONS);
                    m.put("kv/" + s.key, "v");
                    says(s.get("kv/" + s.key + "?consistent"), 403, DENIED);
                    is(s.get("kv/" + s.folder + "?recurse"), 404, "");
                    ConsulAnswer keys = s.get("kv/" + s.folder + "?keys&separator=/");
                    is(keys, 404, "");
                    assertThat(keys.index()).isPositive();
                }),
                row("a folder shows what may be read of it", m -> {
                    Scene s = m.with(SESSIONS.andKeys(m.folder + "a", "read"));
                    m.put("kv/" + m.folder + "a", "v");
                    m.put("kv/" + m.folder + "b", "v");
                    assertThat(s.get("kv/" + m.folder + "?recurse").json().findValuesAsText("Key"))
                            .containsExactly(m.folder + "a");
                }),
                row("a read transaction leaves out what may not be read", m -> {
                    Scene s = m.with(SESSIONS.andKeys(m.folder + "a", "read"));
                    m.put("kv/" + m.folder + "a", "v");
                    m.put("kv/" + m.folder + "b", "v");
                    ConsulAnswer answer =
                            s.txn("txn?consistent", List.of(s.op("get", m.folder + "b"), s.op("get", m.folder + "a")));
                    assertThat(answer.json().path("Results")).hasSize(1);
                    assertThat(result(answer, 0).path("Key").asText()).isEqualTo(m.folder + "a");
                    conflict(s.txn(List.of(s.op("get", m.folder + "c"))), "0: key \"" + m.folder + "c\" doesn't exist");
                }),
                row("a lock that may be written but its companion not read: the companion is left out", m -> {
                    Scene s = m.with(SESSIONS.andKeys(m.folder + "a", "write"));
                    m.put("kv/" + m.folder + "b", "v");
                    String session = s.session();
                    ConsulAnswer answer = s.txn(List.of(
                            s.op("lock", m.folder + "a", "Session", session, "Value", ""),
                            s.op("get", m.folder + "b")));
                    assertThat(answer.json().path("Results")).hasSize(1);
                    assertThat(result(answer, 0).path("Session").asText()).isEqualTo(session);
                }),
                row("checks need the right to read, locks the right to write; each denied one is named", m -> {
                    Scene s = m.with(SESSIONS);
                    conflict(
                            s.txn(List.of(
                                    s.op("get"),
                                    s.op("check-index", s.key, "Index", 1),
                                    s.op("check-session", s.key, "Session", NOBODY),
                                    s.lock(NOBODY, "v"),
                                    s.op("unlock", s.key, "Session", NOBODY))),
                            "1: " + DENIED,
                            "2: " + DENIED,
                            "3: " + DENIED,
                            "4: " + DENIED);
                }),
                row("a reader reads and locks nothing", m -> {
                    Scene s = m.with(READER);
                    m.put("kv/" + s.key, "v");
                    assertThat(s.get("kv/" + s.key + "?consistent").status()).isEqualTo(200);
                    says(s.acquire(s.session(), "v"), 403, DENIED);
                    conflict(s.txn(List.of(s.lock(s.session(), "v"), s.op("get"))), "0: " + DENIED);
                }));
    }

    private static List<Row> tokens() {
        return List.of(
                row("no token", m -> {
                    Scene s = m.as("");
                    says(s.put("session/create", "{}"), 403, DENIED);
                    says(s.acquire(NOBODY, "v"), 403, DENIED);
                    conflict(s.txn(List.of(s.lock(NOBODY, "v"))), "0: " + DENIED);
                    is(s.get("kv/" + s.folder + "?recurse"), 404, "");
                }),
                row(
                        "an unknown token is refused whatever is asked",
                        m -> unknown(m.as(UUID.randomUUID().toString()), m)),
                row("a token that is deleted is unknown, and its lock stays", m -> {
                    String token = m.consul.grant(SESSIONS.andKeys("table/", "write"));
                    Scene s = m.as(token);
                    String session = s.session();
                    s.acquired(session, "v");
                    m.consul.deleteToken(token);
                    unknown(s, m);
                    says(s.put("session/renew/" + session), 403, "ACL not found");
                    assertThat(m.entry(s.key).path("Session").asText()).isEqualTo(session);
                }));
    }

    private static void unknown(Scene s, Scene m) {
        String refused = "ACL not found";
        String session = m.session();
        says(s.put("session/create", "{}"), 403, refused);
        says(s.put("session/renew/" + session), 403, refused);
        says(s.put("session/destroy/" + session), 403, refused);
        says(s.get("session/info/" + session), 403, refused);
        says(s.acquire(session, "v"), 403, refused);
        says(s.get("kv/" + s.key + "?consistent"), 403, refused);
        says(s.get("kv/" + s.folder + "?keys&separator=/"), 403, refused);
        says(s.txn(List.of(s.lock(session, "v"))), 403, refused);
        says(s.txn("txn?consistent", List.of(s.op("get"))), 403, refused);
    }
}
