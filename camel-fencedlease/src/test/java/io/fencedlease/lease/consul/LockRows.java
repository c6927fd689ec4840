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

/** Acquiring and releasing by {@code /v1/kv}, lock-delay, and which index moves when. */
final class LockRows {

    private LockRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(acquisition());
        rows.addAll(release());
        rows.addAll(indexes());
        rows.addAll(delays());
        return rows;
    }

    private static List<Row> acquisition() {
        return List.of(
                row("a free key: true, and no index anywhere", s -> {
                    ConsulAnswer answer = s.acquire(s.session(), "v");
                    is(answer, 200, "true");
                    assertThat(answer.index()).isZero();
                }),
                row("a key that another session holds: false", s -> {
                    s.acquired(s.session(), "v");
                    is(s.acquire(s.session(), "v"), 200, "false");
                }),
                row(
                        "a dead session and a free key: 500",
                        s -> says(s.acquire(NOBODY, "v"), 500, "invalid session \"" + NOBODY + "\"")),
                row("a dead session and a key that another holds: 500", s -> {
                    s.acquired(s.session(), "v");
                    says(s.acquire(NOBODY, "v"), 500, "invalid session \"" + NOBODY + "\"");
                }),
                row(
                        "a malformed session",
                        s -> says(
                                s.acquire("nonsense", "v"),
                                500,
                                "failed session lookup: index error: UUID must be 36 characters")),
                row("an empty session", s -> says(s.acquire("", "v"), 500, "missing session")),
                row(
                        "acquire and cas at once",
                        s -> says(
                                s.put("kv/" + s.key + "?acquire=" + NOBODY + "&cas=0", "v"), 400, "Conflicting flags")),
                row("no key", s -> is(s.put("kv/?acquire=" + NOBODY, "v"), 400, "Missing key name")),
                row("a key that begins with a slash is moved elsewhere, and nothing was done", s -> {
                    assertThat(s.put("kv//" + s.key, "v").status()).isEqualTo(301);
                    assertThat(s.get("kv/" + s.key).status()).isEqualTo(404);
                }),
                row("the wrong method", s -> says(s.ask("POST", "kv/" + s.key, "v"), 405, "method POST not allowed")),
                row(
                        "a value above the limit",
                        s -> says(s.put("kv/" + s.key, "v".repeat(512 * 1024 + 1)), 413, "too large")));
    }

    private static List<Row> release() {
        return List.of(
                row("a release by the holder frees, and writes the value", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    is(s.put("kv/" + s.key + "?release=" + session, "w"), 200, "true");
                    assertThat(s.entry().has("Session")).isFalse();
                    assertThat(ConsulJson.valueOf(s.entry())).isEqualTo("w");
                }),
                row("a release by another, of a free key and of none: false", s -> {
                    String session = s.session();
                    is(s.put("kv/" + s.key + "?release=" + session), 200, "false");
                    s.acquired(s.session(), "v");
                    is(s.put("kv/" + s.key + "?release=" + session), 200, "false");
                    s.delete("kv/" + s.key);
                    s.put("kv/" + s.key, "v");
                    is(s.put("kv/" + s.key + "?release=" + session), 200, "false");
                }),
                row("a release by no session", s -> says(s.put("kv/" + s.key + "?release="), 500, "missing session")));
    }

    private static List<Row> indexes() {
        return List.of(
                row("the same session and value again: true, and nothing moves", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    JsonNode before = s.entry();
                    s.acquired(session, "v");
                    assertThat(s.entry()).isEqualTo(before);
                    assertThat(before.path("LockIndex").asLong()).isEqualTo(1);
                    assertThat(before.path("CreateIndex")).isEqualTo(before.path("ModifyIndex"));
                }),
                row("the same session with another value, none, or flags: only ModifyIndex moves", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long first = s.modifyIndex();
                    s.acquired(session, "w");
                    long second = s.modifyIndex();
                    s.acquired(session, "");
                    long third = s.modifyIndex();
                    is(s.put("kv/" + s.key + "?flags=7&acquire=" + session), 200, "true");
                    assertThat(List.of(first, second, third, s.modifyIndex()))
                            .doesNotHaveDuplicates()
                            .isSorted();
                    assertThat(s.entry().path("LockIndex").asLong()).isEqualTo(1);
                    assertThat(s.entry().path("CreateIndex").asLong()).isEqualTo(first);
                }),
                row("a stranger's write of the same value keeps the holder, moves ModifyIndex, resets LockIndex", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long before = s.modifyIndex();
                    is(s.put("kv/" + s.key, "v"), 200, "true");
                    long after = s.modifyIndex();
                    assertThat(after).isGreaterThan(before);
                    assertThat(s.entry().path("LockIndex").asLong()).isZero();
                    assertThat(s.entry().path("Session").asText()).isEqualTo(session);
                    // and then nothing is left to move
                    s.acquired(session, "v");
                    is(s.put("kv/" + s.key, "v"), 200, "true");
                    assertThat(s.modifyIndex()).isEqualTo(after);
                }),
                row("the end of a session keeps LockIndex; the next holder adds one", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long before = s.modifyIndex();
                    s.destroy(session);
                    assertThat(s.entry().path("LockIndex").asLong()).isEqualTo(1);
                    assertThat(s.modifyIndex()).isGreaterThan(before);
                    s.acquired(s.session(), "v");
                    assertThat(s.entry().path("LockIndex").asLong()).isEqualTo(2);
                }),
                row("a held key that is deleted is free at once, begins anew, and its holder lives", s -> {
                    String session = s.session("\"LockDelay\":\"60s\"");
                    s.acquired(session, "v");
                    long before = s.modifyIndex();
                    is(s.delete("kv/" + s.key), 200, "true");
                    is(s.get("kv/" + s.key), 404, "");
                    assertThat(s.put("session/renew/" + session).status()).isEqualTo(200);
                    s.acquired(s.session(), "v");
                    assertThat(s.entry().path("LockIndex").asLong()).isEqualTo(1);
                    assertThat(s.entry().path("CreateIndex").asLong())
                            .isEqualTo(s.modifyIndex())
                            .isGreaterThan(before);
                }),
                row("with the behaviour delete the key ends with its holder", s -> {
                    String session = s.session("\"LockDelay\":\"0s\",\"Behavior\":\"delete\"");
                    s.acquired(session, "v");
                    s.destroy(session);
                    is(s.get("kv/" + s.key), 404, "");
                }),
                row("check-and-set: the right index only, and 0 for none", s -> {
                    is(s.put("kv/" + s.key + "?cas=7", "v"), 200, "false");
                    is(s.put("kv/" + s.key + "?cas=0", "v"), 200, "true");
                    is(s.put("kv/" + s.key + "?cas=0", "v"), 200, "false");
                    is(s.put("kv/" + s.key + "?cas=" + s.modifyIndex(), "w"), 200, "true");
                    is(s.put("kv/" + s.key + "?cas=1", "x"), 200, "false");
                    assertThat(ConsulJson.valueOf(s.entry())).isEqualTo("w");
                }),
                row("an empty value is shown as null", s -> {
                    s.put("kv/" + s.key);
                    assertThat(s.entry().path("Value").isNull()).isTrue();
                }));
    }

    private static List<Row> delays() {
        return List.of(
                row("inside lock-delay: false, for the living", s -> {
                    shut(s);
                    is(s.acquire(s.session(), "v"), 200, "false");
                }),
                row("inside lock-delay: false, for the dead too", s -> is(s.acquire(shut(s), "v"), 200, "false")),
                row("lock-delay outlives the key, and a stranger's write", s -> {
                    shut(s);
                    s.delete("kv/" + s.key);
                    is(s.acquire(s.session(), "v"), 200, "false");
                    s.put("kv/" + s.key, "v");
                    is(s.acquire(s.session(), "v"), 200, "false");
                }),
                row("lock-delay also after a session that deleted its keys", s -> {
                    String session = s.session("\"LockDelay\":\"60s\",\"Behavior\":\"delete\"");
                    s.acquired(session, "v");
                    s.destroy(session);
                    is(s.acquire(s.session(), "v"), 200, "false");
                }),
                row("lock-delay ends, and not early", s -> {
                    String session = s.session("\"LockDelay\":\"250ms\"");
                    s.acquired(session, "v");
                    long before = s.consul.nanos();
                    s.destroy(session);
                    String next = s.session();
                    s.consul.until(
                            "the end of lock-delay",
                            () -> s.acquire(next, "v").body().contains("true"));
                    assertThat(s.consul.nanos() - before)
                            .isGreaterThanOrEqualTo(Duration.ofMillis(240).toNanos());
                }),
                row("no lock-delay after a release, nor by a session that has none", s -> {
                    String session = s.session("\"LockDelay\":\"60s\"");
                    s.acquired(session, "v");
                    s.put("kv/" + s.key + "?release=" + session);
                    s.destroy(session);
                    String without = s.session();
                    s.acquired(without, "v");
                    s.destroy(without);
                    s.acquired(s.session(), "v");
                }));
    }

    /** The key is in lock-delay for a minute; the session that held it. */
    private static String shut(Scene s) {
        String session = s.session("\"LockDelay\":\"60s\"");
        s.acquired(session, "v");
        s.destroy(session);
        return session;
    }
}
