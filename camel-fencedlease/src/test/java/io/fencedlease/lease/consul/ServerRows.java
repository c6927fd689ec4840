package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Row.row;
import static io.fencedlease.lease.consul.Scene.is;
import static io.fencedlease.lease.consul.Scene.says;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A server that stands still, ends, starts again, or is given an older state. */
final class ServerRows {

    private ServerRows() {}

    static List<Row> all() {
        return List.of(
                row("an acquire given up on a frozen server is carried out once it thaws", s -> {
                    String session = s.session();
                    s.consul.freeze();
                    CompletableFuture<ConsulAnswer> answer = s.begin("PUT", "kv/" + s.key + "?acquire=" + session, "v");
                    s.consul.aWhile();
                    assertThat(answer).isNotDone();
                    answer.cancel(true);
                    s.consul.aWhile();
                    s.consul.thaw();
                    s.consul.until(
                            "the lock", () -> s.entry().path("Session").asText().equals(session));
                }),
                row("a restart keeps sessions, locks and what the indexes have reached", s -> {
                    String session = s.session();
                    s.acquired(session, "v");
                    long before = s.modifyIndex();
                    s.consul.restart();
                    assertThat(s.put("session/renew/" + session).status()).isEqualTo(200);
                    assertThat(s.entry().path("Session").asText()).isEqualTo(session);
                    assertThat(s.modifyIndex()).isEqualTo(before);
                    s.destroy(session);
                    s.acquired(s.session(), "v");
                    assertThat(s.modifyIndex()).isGreaterThan(before);
                }),
                row("a restart keeps a lock-delay that its log knows", s -> {
                    String session = s.session("\"LockDelay\":\"60s\"");
                    s.acquired(session, "v");
                    s.destroy(session);
                    s.consul.restart();
                    is(s.acquire(s.session(), "v"), 200, "false");
                }),
                row("a poll does not outlive its server", s -> {
                    s.put("kv/" + s.key, "v");
                    CompletableFuture<ConsulAnswer> poll = s.poll("kv/" + s.key);
                    s.consul.restart();
                    s.consul.until("the end of the connection", poll::isDone);
                    assertThat(poll).isCompletedExceptionally();
                }),
                row("a restored snapshot revives sessions and locks, ends newer ones, and the index goes on", s -> {
                    String old = s.session();
                    s.acquired(old, "v");
                    long then = s.modifyIndex();
                    long[] reached = new long[1];
                    String[] newer = new String[1];
                    s.consul.restoredAfter(() -> {
                        s.destroy(old);
                        newer[0] = s.session();
                        s.acquired(newer[0], "w");
                        reached[0] = s.modifyIndex();
                    });
                    assertThat(s.put("session/renew/" + old).status()).isEqualTo(200);
                    assertThat(s.put("session/renew/" + newer[0]).status()).isEqualTo(404);
                    assertThat(s.entry().path("Session").asText()).isEqualTo(old);
                    assertThat(s.modifyIndex()).isEqualTo(then);
                    says(s.acquire(newer[0], "w"), 500, "invalid session");
                    s.put("kv/" + s.key + "?release=" + old, "v");
                    s.acquired(s.session(), "w");
                    assertThat(s.modifyIndex()).isGreaterThan(reached[0]);
                }),
                row("a restore forgets lock-delays", s -> {
                    String old = s.session("\"LockDelay\":\"60s\"");
                    s.consul.restoredAfter(() -> {
                        s.acquired(old, "v");
                        s.destroy(old);
                        is(s.acquire(s.session(), "v"), 200, "false");
                    });
                    s.acquired(s.session(), "v");
                }),
                row("a restore wakes a poll, which then sleeps out its wait on an index of the future", s -> {
                    s.put("kv/" + s.key, "v");
                    long then = s.modifyIndex();
                    long[] later = new long[1];
                    List<CompletableFuture<ConsulAnswer>> polls = new ArrayList<>();
                    s.consul.restoredAfter(() -> {
                        s.put("kv/" + s.key, "w");
                        later[0] = s.modifyIndex();
                        polls.add(s.poll("kv/" + s.key));
                    });
                    s.consul.settled(polls.get(0));
                    CompletableFuture<ConsulAnswer> next =
                            s.begin("GET", "kv/" + s.key + "?wait=1s&index=" + later[0], "");
                    s.consul.aWhile();
                    assertThat(next).isNotDone();
                    assertThat(s.consul.settled(next).index()).isEqualTo(then);
                }));
    }
}
