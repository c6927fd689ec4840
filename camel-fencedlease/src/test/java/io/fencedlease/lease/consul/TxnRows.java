package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Row.row;
import static io.fencedlease.lease.consul.Scene.NOBODY;
import static io.fencedlease.lease.consul.Scene.conflict;
import static io.fencedlease.lease.consul.Scene.is;
import static io.fencedlease.lease.consul.Scene.result;
import static io.fencedlease.lease.consul.Scene.says;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Transactions: what they do, and their words for why they did not. */
final class TxnRows {

    private TxnRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(locks());
        rows.addAll(checks());
        rows.addAll(form());
        return rows;
    }

    private static List<Row> locks() {
        return List.of(
                row("a lock answers the index that a read shows, without the value", s -> {
                    String session = s.session();
                    ConsulAnswer answer = s.txn(List.of(s.lock(session, "v"), s.op("get")));
                    JsonNode lock = result(answer, 0);
                    assertThat(lock.path("Value").isNull()).isTrue();
                    assertThat(lock.path("Session").asText()).isEqualTo(session);
                    assertThat(lock.path("LockIndex").asLong()).isEqualTo(1);
                    assertThat(result(answer, 1)).isEqualTo(s.entry());
                    assertThat(lock.path("ModifyIndex").asLong()).isEqualTo(s.modifyIndex());
                    assertThat(answer.json().path("Errors").isNull()).isTrue();
                    assertThat(answer.index()).isZero();
                }),
                row("the same lock again: the same index; with another value a higher one", s -> {
                    String session = s.session();
                    long first = index(s.txn(List.of(s.lock(session, "v"))));
                    assertThat(index(s.txn(List.of(s.lock(session, "v"))))).isEqualTo(first);
                    assertThat(index(s.txn(List.of(s.lock(session, "w"))))).isGreaterThan(first);
                }),
                row("a lock whose companion is missing is not taken", s -> {
                    ConsulAnswer answer = s.txn(List.of(s.lock(s.session(), "v"), s.op("get", s.folder + "g")));
                    conflict(answer, "1: key \"" + s.folder + "g\" doesn't exist");
                    assertThat(s.get("kv/" + s.key).status()).isEqualTo(404);
                }),
                row("a lock that another holds", s -> {
                    s.acquired(s.session(), "v");
                    conflict(
                            s.txn(List.of(s.lock(s.session(), "v"))),
                            "0: failed to lock key \"" + s.key + "\", lock is already held");
                }),
                row("a lock inside lock-delay, for the living and the dead; nothing else is looked at", s -> {
                    String session = s.session("\"LockDelay\":\"60s\"");
                    s.acquired(session, "v");
                    s.destroy(session);
                    String delayed = "0: failed to lock key \"" + s.key + "\" due to lock delay";
                    conflict(s.txn(List.of(s.lock(s.session(), "v"))), delayed);
                    conflict(s.txn(List.of(s.lock(session, "v"))), delayed);
                    conflict(s.txn(List.of(s.lock(session, "v"), s.op("get", s.folder + "g"))), delayed);
                }),
                row("a lock by a dead session, and whatever else is wrong", s -> {
                    String dead = "0: invalid session \"" + NOBODY + "\"";
                    conflict(s.txn(List.of(s.lock(NOBODY, "v"))), dead);
                    conflict(
                            s.txn(List.of(s.lock(NOBODY, "v"), s.op("get", s.folder + "g"))),
                            dead,
                            "1: key \"" + s.folder + "g\" doesn't exist");
                    s.acquired(s.session(), "v");
                    conflict(s.txn(List.of(s.lock(NOBODY, "v"))), dead);
                }),
                row("a lock by a malformed session, and by none", s -> {
                    conflict(
                            s.txn(List.of(s.lock("nonsense", "v"))),
                            "0: failed session lookup: index error: UUID must be 36 characters");
                    conflict(s.txn(List.of(s.lock("", "v"))), "0: missing session");
                }),
                row("an unlock by the holder, under its index", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    ConsulAnswer answer =
                            s.txn(List.of(s.op("check-index", s.key, "Index", s.modifyIndex()), unlock(s, session)));
                    assertThat(result(answer, 1).path("Key").asText()).isEqualTo(s.key);
                    assertThat(result(answer, 1).has("Session")).isFalse();
                    assertThat(s.entry().has("Session")).isFalse();
                    s.acquired(s.session(), "v");
                }),
                row("an unlock by another, of a free key, of none", s -> {
                    String session = s.session();
                    String not =
                            "0: failed to unlock key \"" + s.key + "\", lock isn't held, or is held by another session";
                    conflict(s.txn(List.of(unlock(s, session))), not);
                    s.put("kv/" + s.key, "v");
                    conflict(s.txn(List.of(unlock(s, session))), not);
                    s.acquired(s.session(), "v");
                    conflict(s.txn(List.of(unlock(s, session))), not);
                }),
                row("an unlock under a stale index names the check; of another's lock both", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long index = s.modifyIndex();
                    String moved =
                            "0: failed index check for key \"" + s.key + "\", current modify index " + index + " != 1";
                    var check = s.op("check-index", s.key, "Index", 1);
                    conflict(s.txn(List.of(check, unlock(s, session))), moved);
                    assertThat(s.entry().path("Session").asText()).isEqualTo(session);
                    conflict(
                            s.txn(List.of(check, unlock(s, s.session()))),
                            moved,
                            "1: failed to unlock key \"" + s.key
                                    + "\", lock isn't held, or is held by another session");
                }));
    }

    private static Map<String, Object> unlock(Scene s, String session) {
        return s.op("unlock", s.key, "Session", session, "Value", "");
    }

    private static long index(ConsulAnswer answer) {
        return result(answer, 0).path("ModifyIndex").asLong();
    }

    private static List<Row> checks() {
        return List.of(
                row("a fenced write goes through for the holder, and moves only what it writes", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long index = s.modifyIndex();
                    ConsulAnswer answer = s.txn(List.of(
                            s.op("check-session", s.key, "Session", session),
                            s.op("check-index", s.key, "Index", index),
                            s.op("set", s.folder + "data", "Value", "b25l")));
                    assertThat(result(answer, 2).path("ModifyIndex").asLong()).isGreaterThan(index);
                    assertThat(result(answer, 2).path("LockIndex").asLong()).isZero();
                    assertThat(s.modifyIndex()).isEqualTo(index);
                    assertThat(ConsulJson.valueOf(s.entry(s.folder + "data"))).isEqualTo("one");
                }),
                row("a fenced write is refused as a whole once the holder's session has ended", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    s.destroy(session);
                    conflict(
                            s.txn(List.of(
                                    s.op("set", s.folder + "data", "Value", "b25l"),
                                    s.op("check-session", s.key, "Session", session))),
                            "1: failed session check for key \"" + s.key + "\", current session \"\" != \"" + session
                                    + "\"");
                    assertThat(s.get("kv/" + s.folder + "data").status()).isEqualTo(404);
                }),
                row("checks of a key that is not there", s -> {
                    conflict(
                            s.txn(List.of(s.op("check-index", s.key, "Index", 1), s.op("set", s.folder + "d"))),
                            "0: failed to check index, key \"" + s.key + "\" doesn't exist");
                    conflict(
                            s.txn(List.of(
                                    s.op("check-session", s.key, "Session", NOBODY), s.op("set", s.folder + "d"))),
                            "0: failed to check session, key \"" + s.key + "\" doesn't exist");
                }),
                row("a stale check-and-set", s -> {
                    s.put("kv/" + s.key, "v");
                    String stale = "0: failed to set key \"" + s.key + "\", index is stale";
                    conflict(s.txn(List.of(s.op("cas", s.key, "Index", 0, "Value", ""))), stale);
                    conflict(s.txn(List.of(s.op("cas", s.key, "Index", 1, "Value", ""))), stale);
                    assertThat(result(s.txn(List.of(s.op("cas", s.key, "Index", s.modifyIndex(), "Value", "dw=="))), 0)
                                    .path("Value")
                                    .isNull())
                            .isTrue();
                    assertThat(ConsulJson.valueOf(s.entry())).isEqualTo("w");
                }),
                row("a key that should not exist", s -> {
                    var absent = s.op("check-not-exists");
                    var set = s.op("set", s.key, "Value", "dg==");
                    assertThat(s.txn(List.of(absent, set)).json().path("Results"))
                            .hasSize(1);
                    conflict(s.txn(List.of(absent, set)), "0: key \"" + s.key + "\" exists");
                }),
                row("deletes answer no result", s -> {
                    s.put("kv/" + s.key, "v");
                    s.put("kv/" + s.folder + "t/1", "v");
                    is(
                            s.txn(List.of(s.op("delete"), s.op("delete-tree", s.folder + "t/"))),
                            200,
                            "{\"Results\":[],\"Errors\":null}");
                    assertThat(s.get("kv/" + s.folder + "?recurse").status()).isEqualTo(404);
                    s.put("kv/" + s.key, "v");
                    conflict(
                            s.txn(List.of(s.op("delete-cas", s.key, "Index", 1))),
                            "0: failed to delete key \"" + s.key + "\", index is stale");
                }),
                row("operations see those before them", s -> {
                    ConsulAnswer answer = s.txn(List.of(s.op("set", s.key, "Value", "dg=="), s.op("get")));
                    assertThat(ConsulJson.valueOf(result(answer, 1))).isEqualTo("v");
                }));
    }

    private static List<Row> form() {
        return List.of(
                row("reading what is there, what is not, and a folder", s -> {
                    conflict(s.txn(List.of(s.op("get"))), "0: key \"" + s.key + "\" doesn't exist");
                    s.put("kv/" + s.key, "v");
                    assertThat(result(s.txn("txn?consistent", List.of(s.op("get"))), 0))
                            .isEqualTo(s.entry());
                    assertThat(result(s.txn(List.of(s.op("get-tree", s.folder))), 0))
                            .isEqualTo(s.entry());
                    conflict(
                            s.txn(List.of(s.op("get"), s.op("get", s.folder + "no"), s.op("get", s.folder + "nor"))),
                            "1: key \"" + s.folder + "no\" doesn't exist",
                            "2: key \"" + s.folder + "nor\" doesn't exist");
                }),
                row(
                        "a verb of a later version",
                        s -> conflict(s.txn(List.of(s.op("get-or-empty"))), "0: unknown KV verb \"get-or-empty\"")),
                row("64 operations, and one too many", s -> {
                    s.put("kv/" + s.key, "v");
                    assertThat(s.txn(Collections.nCopies(64, s.op("get"))).status())
                            .isEqualTo(200);
                    says(
                            s.txn(Collections.nCopies(65, s.op("get"))),
                            413,
                            "Transaction contains too many operations (65 > 64)");
                }),
                row("no JSON, and nothing", s -> {
                    says(s.put("txn", "nonsense"), 400, "Failed to parse body");
                    says(s.put("txn"), 400, "Failed to parse body");
                    says(s.put("txn", "[]"), 200, "{\"Results\":[],\"Errors\":null,");
                }),
                row("the wrong method", s -> says(s.ask("POST", "txn", "[]"), 405, "method POST not allowed")));
    }
}
