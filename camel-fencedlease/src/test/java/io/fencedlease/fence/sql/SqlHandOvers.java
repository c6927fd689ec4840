package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: over very many hand-overs no stale write is accepted. Method: two busy writers take turns, each is never told. */
abstract class SqlHandOvers {

    private static final int HAND_OVERS = Integer.getInteger("fence.handOvers", 1000);
    private static final LeaseName LEASE = new LeaseName("invoice-closer");

    /** Pooled connections of a fresh, empty database. */
    abstract DataSource pool();

    @Test
    void overAThousandHandOversNothingIsWrittenByATenureAfterTheNextWasRaised() throws Exception {
        DataSource pool = pool();
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE sink (token BIGINT NOT NULL)");
            jdbc.execute("CREATE INDEX by_token ON sink (token)");
            SqlFence[] nodes = {
                new SqlFence(LEASE, "db", pool, SqlFenceOptions.defaults()),
                new SqlFence(LEASE, "db", pool, SqlFenceOptions.defaults())
            };
            List<Long> atRaise = new ArrayList<>();
            List<Future<Throwable>> ends = new ArrayList<>();
            nodes[1].raise(tenure(1));
            for (int n = 1; n <= HAND_OVERS; n++) {
                CountDownLatch wrote = new CountDownLatch(1);
                SqlFence own = nodes[n % 2];
                Tenure tenure = tenure(n);
                ends.add(writers.submit(() -> catchThrowable(() -> writeUntilRefused(own, tenure, jdbc, wrote))));
                assertThat(wrote.await(60, TimeUnit.SECONDS))
                        .as("%s writes", tenure)
                        .isTrue();

                nodes[(n + 1) % 2].raise(tenure(n + 1));
                atRaise.add(rows(jdbc, n));
            }
            for (int n = 1; n <= HAND_OVERS; n++) {
                assertThat(ends.get(n - 1).get(60, TimeUnit.SECONDS)).isInstanceOf(FencedOutException.class);
                assertThat(rows(jdbc, n)).as("rows of token %d", n).isPositive().isEqualTo(atRaise.get(n - 1));
            }
        } finally {
            writers.shutdownNow();
        }
    }

    private static void writeUntilRefused(SqlFence fence, Tenure tenure, JdbcTemplate jdbc, CountDownLatch wrote)
            throws Exception {
        while (true) {
            fence.guard(
                    tenure,
                    () -> jdbc.update(
                            "INSERT INTO sink (token) VALUES (?)",
                            tenure.token().value()));
            wrote.countDown();
        }
    }

    private static Long rows(JdbcTemplate jdbc, long token) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM sink WHERE token = ?", Long.class, token);
    }

    private static Tenure tenure(long token) {
        return new Tenure(LEASE, new FencingToken(token), "nonce-" + token);
    }
}
