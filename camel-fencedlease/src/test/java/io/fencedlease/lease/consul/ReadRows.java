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
import java.util.concurrent.CompletableFuture;

/** Reads, and reads that wait. */
final class ReadRows {

    private ReadRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(reads());
        rows.addAll(waits());
        rows.addAll(wakeUps());
        return rows;
    }

    private static List<Row> reads() {
        return List.of(
                row("an entry: all its fields, and its ModifyIndex for an index", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    ConsulAnswer answer = s.get("kv/" + s.key);
                    assertThat(answer.json()).hasSize(1);
                    JsonNode entry = answer.json().path(0);
                    assertThat(entry.path("Key").asText()).isEqualTo(s.key);
                    assertThat(ConsulJson.valueOf(entry)).isEqualTo("v");
                    assertThat(entry.path("Flags").asLong()).isZero();
                    assertThat(entry.path("Session").asText()).isEqualTo(session);
                    assertThat(answer.index())
                            .isEqualTo(entry.path("ModifyIndex").asLong())
                            .isPositive();
                    assertThat(s.get("kv/" + s.key + "?consistent").json()).isEqualTo(answer.json());
                }),
                row("a key that is not there: 404 without a body, with an index", s -> {
                    ConsulAnswer answer = s.get("kv/" + s.key);
                    is(answer, 404, "");
                    assertThat(answer.index()).isPositive();
                }),
                row("a folder: all entries, and the highest ModifyIndex", s -> {
                    s.put("kv/" + s.folder + "a", "1");
                    s.put("kv/" + s.folder + "b/c", "2");
                    s.put("kv/" + s.folder + "a", "3");
                    ConsulAnswer answer = s.get("kv/" + s.folder + "?recurse&consistent");
                    assertThat(answer.json().findValuesAsText("Key")).containsExactly(s.folder + "a", s.folder + "b/c");
                    assertThat(answer.index())
                            .isEqualTo(answer.json().path(0).path("ModifyIndex").asLong());
                }),
                row("a folder's keys, cut at a separator", s -> {
                    s.put("kv/" + s.folder + "a", "1");
                    s.put("kv/" + s.folder + "b/c", "2");
                    s.put("kv/" + s.folder + "b/d", "2");
                    is(
                            s.get("kv/" + s.folder + "?keys&separator=/"),
                            200,
                            "[\"" + s.folder + "a\",\"" + s.folder + "b/\"]");
                    assertThat(s.get("kv/" + s.folder + "?keys").json()).hasSize(3);
                }),
                row("an empty folder: 404 without a body, with an index", s -> {
                    is(s.get("kv/" + s.folder + "?recurse"), 404, "");
                    ConsulAnswer answer = s.get("kv/" + s.folder + "?keys&separator=/");
                    is(answer, 404, "");
                    assertThat(answer.index()).isPositive();
                }),
                row("a folder's index grows with a deletion in it", s -> {
                    s.put("kv/" + s.folder + "a", "1");
                    s.put("kv/" + s.folder + "b", "1");
                    long before = s.get("kv/" + s.folder + "?keys").index();
                    s.delete("kv/" + s.folder + "a");
                    assertThat(s.get("kv/" + s.folder + "?keys").index()).isGreaterThan(before);
                }),
                row("no key", s -> is(s.get("kv/"), 400, "Missing key name")),
                row(
                        "stale and consistent at once",
                        s -> says(
                                s.get("kv/" + s.key + "?stale&consistent"),
                                400,
                                "Cannot specify ?stale with ?consistent")));
    }

    private static List<Row> waits() {
        return List.of(
                row("no index, or an old one: at once", s -> {
                    s.put("kv/" + s.key, "v");
                    assertThat(s.get("kv/" + s.key + "?index=0&wait=50s").status())
                            .isEqualTo(200);
                    assertThat(s.get("kv/" + s.key + "?index=1&wait=50s").status())
                            .isEqualTo(200);
                }),
                row("a wait that ends: what there is, under the same index", s -> {
                    s.put("kv/" + s.key, "v");
                    long index = s.modifyIndex();
                    long before = s.consul.nanos();
                    ConsulAnswer answer = s.get("kv/" + s.key + "?wait=500ms&index=" + index);
                    assertThat(s.consul.nanos() - before)
                            .isGreaterThanOrEqualTo(Duration.ofMillis(490).toNanos());
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.index()).isEqualTo(index);
                }),
                row("an index above the server's sleeps out its wait, and is answered a lower one", s -> {
                    s.put("kv/" + s.key, "v");
                    CompletableFuture<ConsulAnswer> poll =
                            s.begin("GET", "kv/" + s.key + "?wait=2s&index=" + (s.modifyIndex() + 1_000_000), "");
                    s.sleepsOver(poll, () -> s.put("kv/" + s.key, "w"));
                    assertThat(s.consul.settled(poll).index()).isEqualTo(s.modifyIndex());
                }),
                row("an index or a wait that is none", s -> {
                    is(s.get("kv/" + s.key + "?index=abc"), 400, "Invalid index");
                    is(s.get("kv/" + s.key + "?index=-1"), 400, "Invalid index");
                    is(s.get("kv/" + s.key + "?index=1&wait=abc"), 400, "Invalid wait time");
                    is(s.get("kv/" + s.key + "?index=1&wait=3"), 400, "Invalid wait time");
                }));
    }

    private static List<Row> wakeUps() {
        return List.of(
                row("a poll of a folder's keys wakes on release, deletion and the holder's end, and sleeps else", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    String keys = "kv/" + s.folder + "?keys&separator=/";
                    CompletableFuture<ConsulAnswer> poll = s.poll(keys);
                    s.sleepsOver(poll, () -> {
                        s.acquired(session, "v");
                        is(s.acquire(s.session(), "v"), 200, "false");
                        s.put("kv/table/elsewhere/" + s.key, "v");
                        s.put("session/renew/" + session);
                    });
                    ConsulAnswer released = s.wokenBy(poll, () -> s.put("kv/" + s.key + "?release=" + session));
                    is(released, 200, "[\"" + s.key + "\"]");

                    s.acquired(session, "v");
                    ConsulAnswer ended = s.wokenBy(s.poll(keys), () -> s.destroy(session));
                    assertThat(ended.index()).isGreaterThan(released.index()).isEqualTo(s.modifyIndex());

                    ConsulAnswer deleted = s.wokenBy(s.poll(keys), () -> s.delete("kv/" + s.key));
                    is(deleted, 404, "");
                    assertThat(deleted.index()).isGreaterThan(ended.index());
                }),
                row("a poll of a key wakes on another value, and on the holder's end", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    ConsulAnswer answer = s.wokenBy(s.poll("kv/" + s.key), () -> s.put("kv/" + s.key, "w"));
                    assertThat(answer.json().path(0).path("Session").asText()).isEqualTo(session);
                    answer = s.wokenBy(s.poll("kv/" + s.key), () -> s.destroy(session));
                    assertThat(answer.json().path(0).has("Session")).isFalse();
                }),
                row("a poll of a session wakes on its end, and sleeps else", s -> {
                    String session = s.session();
                    CompletableFuture<ConsulAnswer> poll = s.poll("session/info/" + session);
                    s.sleepsOver(poll, () -> {
                        s.put("session/renew/" + session);
                        s.destroy(s.session());
                        s.acquired(session, "v");
                    });
                    is(s.wokenBy(poll, () -> s.destroy(session)), 200, "[]");
                }),
                row("a poll of nobody's session sleeps", s -> s.poll("session/info/" + NOBODY)),
                row("nothing wakes a poll when a lock-delay ends", s -> {
                    String session = s.session("\"LockDelay\":\"100ms\"");
                    s.acquired(session, "v");
                    s.destroy(session);
                    CompletableFuture<ConsulAnswer> poll = s.poll("kv/" + s.folder + "?keys");
                    s.sleepsOver(poll, s.consul::aWhile);
                    s.wokenBy(poll, () -> s.acquired(s.session(), "v"));
                }));
    }
}
