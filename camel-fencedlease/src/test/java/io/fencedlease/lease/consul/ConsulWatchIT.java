package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.faults.TcpProxy;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.LeaseSession.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Wake-ups come when they should, and a watch that is done with leaves no connection behind. */
@NeedsConsul
class ConsulWatchIT extends ConsulBench {

    /** Far below the longest wait of a poll, so that only a wake-up ends it in time. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
        admin = consul.admin();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @Test
    void theLeasesWatchWakesOnReleaseDeletionAndTheEndOfAHolder() {
        LeaseSession holder = session(consul.url());
        Watch leases = leases(session(consul.url()));
        Acquired tenure = acquired(holder, "n1");

        CompletableFuture<Void> released = asleep(leases);
        release(holder, tenure);
        awaitWoken(released);

        acquired(holder, "n2");
        CompletableFuture<Void> deleted = asleep(leases);
        admin.deleteKey(leaseKey());
        awaitWoken(deleted);

        acquired(holder, "n3");
        CompletableFuture<Void> destroyed = asleep(leases);
        admin.destroySession(holder.id());
        awaitWoken(destroyed);
    }

    @Test
    void theSessionWatchWakesWhenTheSessionIsDestroyed() {
        LeaseSession session = session(consul.url());
        CompletableFuture<Void> poll = asleep(session.watches().get(1));

        admin.destroySession(session.id());

        awaitWoken(poll);
    }

    @Test
    void aWatchWhoseIndexIsOfAnotherLifeOfTheClusterStartsAnew() {
        ConsulHttp http = new ConsulHttp(
                ConsulSettings.builder().address(consul.url().toString()).build());
        ConsulWatch watch =
                new ConsulWatch(http, "kv/restored/", "keys&separator=/", "key:list", Duration.ofSeconds(2));
        admin.put("restored/a", "1");
        byte[] snapshot = admin.snapshot();
        admin.put("restored/a", "2");
        await().atMost(SOON).until(() -> !asleep(watch).isDone());
        admin.restore(snapshot);
        // sleeps out its wait on the old index, then sees one that went backwards
        await().atMost(SOON).until(() -> {
            Answers.once(watch.next());
            return watch.fromTheBeginning();
        });
        http.close();
    }

    @Test
    void aWatchGoesOnAfterTheClusterWasWiped() {
        try (ConsulProcess doomed = ConsulProcess.start()) {
            Watch leases = leases(session(doomed.url()));
            for (int i = 0; i < 20; i++) {
                doomed.admin().put("fencedlease/leases/x", "" + i);
            }
            CompletableFuture<Void> poll = asleep(leases);
            doomed.restartEmpty();
            assertThatThrownBy(() -> Answers.once(poll)).isInstanceOf(BackendUnavailableException.class);

            CompletableFuture<Void> next = asleep(leases);
            doomed.admin().put("fencedlease/leases/x", "again");
            awaitWoken(next);
        }
    }

    @Test
    void destroyingTheSessionOrClosingTheBackendEndsItsPolls() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort())) {
            ConsulBackend client = client(proxy.url());
            LeaseSession first = session(client);
            LeaseSession second = session(client);
            CompletableFuture<Void> ofFirst = asleep(leases(first));
            CompletableFuture<Void> ofSecond = asleep(leases(second));

            Answers.of(first::destroy);
            await().atMost(SOON).until(ofFirst::isCompletedExceptionally);
            assertThat(ofSecond).isNotDone();
            assertThatThrownBy(() -> Answers.once(leases(first).next()))
                    .isInstanceOf(BackendUnavailableException.class);

            client.close();
            await().atMost(SOON).until(ofSecond::isCompletedExceptionally);
        }
    }

    @Test
    void whoStopsWaitingLeavesNoConnectionBehind() throws Exception {
        try (TcpProxy proxy = new TcpProxy(consul.httpPort())) {
            LeaseSession session = session(proxy.url());
            List<Watch> watches = session.watches();
            List<CompletableFuture<Void>> polls =
                    watches.stream().map(ConsulWatchIT::asleep).toList();
            int idle = 2;
            assertThat(proxy.sockets()).isGreaterThan(idle);

            polls.forEach(poll -> poll.cancel(true));

            await().atMost(SOON).until(() -> proxy.sockets() <= idle);
        }
    }

    private static Watch leases(LeaseSession session) {
        return session.watches().get(0);
    }

    /** A poll that has nothing to tell yet; those before it answered at once. */
    private static CompletableFuture<Void> asleep(Watch watch) {
        return await().atMost(SOON)
                .until(
                        () -> {
                            CompletableFuture<Void> poll = watch.next().toCompletableFuture();
                            await().pollDelay(Duration.ofMillis(400)).until(() -> true);
                            return poll;
                        },
                        poll -> !poll.isDone());
    }

    private static void awaitWoken(CompletableFuture<Void> poll) {
        await().atMost(SOON).until(poll::isDone);
        assertThat(poll).isCompleted();
    }
}
