package io.fencedlease.lease.consul;

import static io.fencedlease.lease.consul.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.LeaseSession.Watch;
import io.fencedlease.lease.spi.Release;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The same, as the lease loop sees it: which event wakes which watch of the real backend. */
final class WatchRows {

    private WatchRows() {}

    static List<Row> all() {
        return List.of(
                row("the watch of the leases wakes on release, deletion and the holder's end", s -> {
                    Nodes nodes = new Nodes(s);
                    CompletableFuture<Void> released = nodes.asleep(0);
                    assertThat(nodes.done(nodes.holder.release(
                                    nodes.lease, nodes.acquired("n1").revision())))
                            .isEqualTo(Release.DONE);
                    nodes.woken(released);

                    nodes.acquired("n2");
                    CompletableFuture<Void> deleted = nodes.asleep(0);
                    s.delete("kv/" + nodes.key());
                    nodes.woken(deleted);

                    nodes.acquired("n3");
                    CompletableFuture<Void> ended = nodes.asleep(0);
                    s.destroy(nodes.holder.id());
                    nodes.woken(ended);
                }),
                row("the watch of a session wakes on its end only", s -> {
                    Nodes nodes = new Nodes(s);
                    CompletableFuture<Void> poll = nodes.asleep(1);
                    nodes.acquired("n1");
                    s.delete("kv/" + nodes.key());
                    s.destroy(nodes.holder.id());
                    s.consul.aWhile();
                    assertThat(poll).isNotDone();
                    s.destroy(nodes.other.id());
                    nodes.woken(poll);
                }),
                row("a watch outlives the freezing of its agent", s -> {
                    Nodes nodes = new Nodes(s);
                    nodes.acquired("n1");
                    CompletableFuture<Void> poll = nodes.asleep(0);
                    s.consul.freeze();
                    s.consul.aWhile();
                    s.consul.thaw();
                    assertThat(poll).isNotDone();
                    s.destroy(nodes.holder.id());
                    nodes.woken(poll);
                }));
    }

    /** One that acquires, and another that watches. */
    private static final class Nodes {

        final LeaseName lease = new LeaseName("watched-" + UUID.randomUUID());
        final LeaseSession holder;
        final LeaseSession other;
        private final Scene scene;

        Nodes(Scene scene) {
            this.scene = scene;
            holder = done(scene.consul.backend().openSession(ConsulBench.times(), "holder"));
            other = done(scene.consul.backend().openSession(ConsulBench.times(), "other"));
        }

        String key() {
            return "fencedlease/leases/" + lease;
        }

        <T> T done(CompletionStage<T> stage) {
            return scene.consul.settled(stage.toCompletableFuture());
        }

        /** By an event: long before the wait of the poll is over. */
        void woken(CompletableFuture<Void> poll) {
            long start = scene.consul.nanos();
            scene.consul.settled(poll);
            assertThat(scene.consul.nanos() - start)
                    .isLessThan(ConsulWatch.WAIT.minusSeconds(15).toNanos());
        }

        Acquired acquired(String nonce) {
            return (Acquired) done(holder.acquire(lease, nonce));
        }

        /** The next poll that does not answer at once. */
        CompletableFuture<Void> asleep(int watch) {
            List<Watch> watches = other.watches();
            CompletableFuture<?>[] last = {watches.get(watch).next().toCompletableFuture()};
            scene.consul.until("a poll that sleeps", () -> {
                scene.consul.aWhile();
                if (last[0].isDone()) {
                    last[0] = watches.get(watch).next().toCompletableFuture();
                    scene.consul.aWhile();
                }
                return !last[0].isDone();
            });
            return last[0].thenApply(ignored -> null);
        }
    }
}
