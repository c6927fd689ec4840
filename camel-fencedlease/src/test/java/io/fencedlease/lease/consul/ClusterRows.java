package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Scene.NOBODY;
import static io.fencedlease.lease.consul.Scene.conflict;
import static io.fencedlease.lease.consul.Scene.is;
import static io.fencedlease.lease.consul.Scene.says;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** What needs three servers: who is asked, who leads, and what a rebuilt cluster remembers. */
enum ClusterRows {
    AN_AGENT_THAT_PASSES_A_REQUEST_ON_PUTS_SOMETHING_BEFORE_THE_LEADERS_WORDS((s, consul) -> {
        String prefix = "rpc error making call: ";
        says(s.acquire(NOBODY, "v"), 500, prefix + "invalid session \"" + NOBODY + "\"");
        says(s.acquire("", "v"), 500, prefix + "missing session");
        says(s.put("session/create", "{\"TTL\":\"500ms\"}"), 500, prefix + "Invalid Session TTL '500000000'");
        says(s.put("session/renew/nonsense"), 500, prefix + "failed session lookup");
        // answers, not errors, come as they are
        is(s.put("session/renew/" + NOBODY), 404, "Session id '" + NOBODY + "' not found");
        conflict(s.txn(List.of(s.lock(NOBODY, "v"))), "0: invalid session \"" + NOBODY + "\"");
        is(s.put("kv/?acquire=" + NOBODY), 400, "Missing key name");
    }),
    A_NEW_LEADER_COUNTS_EVERY_TTL_ANEW_AND_KEEPS_LOCKS_DELAYS_AND_INDEXES((s, consul) -> {
        long before = s.consul.nanos();
        String dying = s.session("\"TTL\":\"3s\"");
        String staying = s.session();
        s.acquired(staying, "v");
        long index = s.modifyIndex();
        String delayed = s.folder + "delayed";
        String ended = s.session("\"LockDelay\":\"60s\"");
        is(s.put("kv/" + delayed + "?acquire=" + ended, "v"), 200, "true");
        s.destroy(ended);
        s.consul.until(
                "a second of age",
                () -> s.consul.nanos() - before > Duration.ofSeconds(1).toNanos());

        long killed = s.consul.nanos();
        consul.killLeader();
        s.consul.until("a leader", () -> s.get("kv/" + s.key + "?consistent").status() == 200);

        assertThat(s.entry().path("Session").asText()).isEqualTo(staying);
        assertThat(s.modifyIndex()).isEqualTo(index);
        is(s.put("kv/" + delayed + "?acquire=" + staying, "v"), 200, "false");
        s.consul.until("expiry", () -> s.get("session/info/" + dying).json().isEmpty());
        // 2 x TTL after the election, of which it is only known that it was after the kill
        assertThat(s.consul.nanos() - killed)
                .isGreaterThan(Duration.ofMillis(5900).toNanos());
        s.put("kv/" + s.key + "?release=" + staying, "v");
        s.acquired(s.session(), "v");
        assertThat(s.modifyIndex()).isGreaterThan(index);
        consul.regainQuorum();
    }),
    WITHOUT_A_QUORUM_THERE_IS_NO_LEADER_AND_NOTHING_IS_LOST((s, consul) -> {
        String session = s.session();
        s.acquired(session, "v");
        consul.loseQuorum();
        s.consul.until("that is known", () -> refuses(s, "session/renew/" + session, "No cluster leader"));
        long before = s.consul.nanos();
        List<CompletableFuture<ConsulAnswer>> asked = List.of(
                s.begin("PUT", "session/renew/" + session, ""),
                s.begin("PUT", "kv/" + s.key + "?acquire=" + session, "w"),
                s.begin("GET", "kv/" + s.key, ""),
                s.begin("GET", "kv/" + s.key + "?consistent", ""),
                s.begin("PUT", "txn", ConsulJson.write(List.of())),
                s.begin("PUT", "session/create", "{}"));
        asked.forEach(each -> is(s.consul.settled(each), 500, "No cluster leader"));
        assertThat(s.consul.nanos() - before)
                .isGreaterThan(Duration.ofSeconds(6).toNanos());
        // from what this one happens to know
        assertThat(s.get("kv/" + s.key + "?stale").status()).isIn(200, 404);

        consul.regainQuorum();
        s.consul.until("a leader", () -> s.put("session/renew/" + session).status() == 200);
        assertThat(ConsulJson.valueOf(s.entry())).isEqualTo("v");
        assertThat(s.entry().path("Session").asText()).isEqualTo(session);
    }),
    A_REBUILT_CLUSTER_BEGINS_BELOW_WHAT_WAS_USED_ALSO_WITH_AN_OLD_SNAPSHOT((s, consul) -> {
        String old = s.session();
        s.acquired(old, "v");
        consul.snapshot();
        for (int i = 0; i < 60; i++) {
            s.put("kv/" + s.folder + "other", "" + i);
        }
        s.put("kv/" + s.key + "?release=" + old);
        s.acquired(old, "w");
        long used = s.modifyIndex();

        consul.wipe();
        is(s.put("session/renew/" + old), 404, "Session id '" + old + "' not found");
        is(s.get("kv/" + s.key), 404, "");
        s.acquired(s.session(), "v");
        assertThat(s.modifyIndex()).isLessThan(used);

        consul.restore();
        s.consul.until("the old session", () -> s.put("session/renew/" + old).status() == 200);
        assertThat(s.entry().path("Session").asText()).isEqualTo(old);
        s.put("kv/" + s.key + "?release=" + old);
        s.acquired(s.session(), "v");
        assertThat(s.modifyIndex()).isLessThan(used);
    });

    private final BiConsumer<Scene, AnsweringCluster> scene;

    ClusterRows(BiConsumer<Scene, AnsweringCluster> scene) {
        this.scene = scene;
    }

    /** A busy machine may elect by itself, and then the one that was asked may lead: once more. */
    void playOn(AnsweringCluster consul) {
        for (int tried = 1; ; tried++) {
            try {
                scene.accept(new Scene(consul), consul);
                return;
            } catch (AssertionError wrong) {
                if (ordinal() > 0 || tried == 3 || !consul.asksLeader()) {
                    throw wrong;
                }
            }
        }
    }

    private static boolean refuses(Scene s, String path, String text) {
        ConsulAnswer answer = s.put(path);
        return answer.status() == 500 && answer.body().contains(text);
    }
}
