package io.fencedlease.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: over very many hand-overs no stale write is accepted. Method: two busy writers take turns, each is never told; who
 * was first is read from Consul afterwards: it gives its writes, and the raises too, the indexes of one log.
 */
@NeedsConsul
class ConsulHandOversIT {

    private static final int HAND_OVERS = Integer.getInteger("fence.handOvers", 1000);
    private static final Duration AT_MOST =
            Integer.getInteger("fence.handOvers") == null ? Duration.ofSeconds(8) : Duration.ofHours(1);
    private static final int FEWEST = 20;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final LeaseName LEASE = new LeaseName("L");

    @Test
    void overManyHandOversNothingIsWrittenByATenureAfterTheNextWasRaised() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try (ConsulProcess consul = ConsulProcess.start();
                LeaseByHand lease = new LeaseByHand(consul.url())) {
            ConsulFence[] nodes = {
                new ConsulFence(LEASE, lease.backend, LIMIT), new ConsulFence(LEASE, lease.backend, LIMIT)
            };
            ConsulAdmin admin = consul.admin();
            List<Long> raises = new ArrayList<>();
            List<Future<Throwable>> ends = new ArrayList<>();
            lease.raise(nodes[1], tenure(1));
            long end = System.nanoTime() + AT_MOST.toNanos();
            int done = 0;
            while (done < HAND_OVERS && (System.nanoTime() < end || done < FEWEST)) {
                int n = ++done;
                CountDownLatch wrote = new CountDownLatch(1);
                KvWrites own = new KvWrites(nodes[n % 2]);
                Tenure tenure = tenure(n);
                ends.add(writers.submit(() -> catchThrowable(() -> writeUntilRefused(own, tenure, wrote))));
                assertThat(wrote.await(60, TimeUnit.SECONDS))
                        .as("%s writes", tenure)
                        .isTrue();

                lease.raise(nodes[(n + 1) % 2], tenure(n + 1));
                raises.add(index(admin, lease.markKey()));
            }
            System.out.println(done + " hand-overs");
            long before = 0;
            for (int n = 1; n <= done; n++) {
                assertThat(ends.get(n - 1).get(60, TimeUnit.SECONDS)).isInstanceOf(FencedOutException.class);
                assertThat(index(admin, "data/" + n))
                        .as("last write of token %d", n)
                        .isBetween(before + 1, raises.get(n - 1) - 1);
                before = raises.get(n - 1);
            }
        } finally {
            writers.shutdownNow();
        }
    }

    private static void writeUntilRefused(KvWrites writes, Tenure tenure, CountDownLatch wrote) {
        for (int i = 0; ; i++) {
            writes.put(tenure, "data/" + tenure.token(), "" + i, 0);
            wrote.countDown();
        }
    }

    private static long index(ConsulAdmin admin, String key) {
        return admin.entry(key).orElseThrow().path("ModifyIndex").asLong();
    }

    private static Tenure tenure(long token) {
        return new Tenure(LEASE, new FencingToken(token), "nonce-" + token);
    }
}
