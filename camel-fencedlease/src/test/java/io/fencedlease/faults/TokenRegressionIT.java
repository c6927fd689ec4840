package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.during;
import static io.fencedlease.faults.ConsulNodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.fence.sql.SqlFenceOptions;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.TokenRegression;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulMark;
import io.fencedlease.lease.consul.ConsulMarks;
import io.fencedlease.lease.consul.ConsulSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheck.State;
import org.apache.camel.health.HealthCheckHelper;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Goal: a Consul that went backwards is noticed by a fence that remembers, nothing starts, the message tells what to do,
 * and that mends it; a node that was merely late is told nothing of the kind. Method: real snapshots, a wiped server.
 */
@NeedsConsul
class TokenRegressionIT {

    private static ConsulProcess consul;

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final String lease = "it-" + UUID.randomUUID();
    private final Journal journal = new Journal();
    private final List<AutoCloseable> open = new ArrayList<>();

    TokenRegressionIT() {
        jdbc.execute("create table written(node varchar(10), token bigint)");
    }

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        jdbc.execute("shutdown");
        pool.dispose();
    }

    /** Disaster recovery as the manual has it: an old snapshot into a new cluster. */
    @Test
    void aSnapshotRestoredIntoAFreshConsulIsNoticedToldAndMended() throws Exception {
        ConsulNode before = writing("before", consul);
        eventually().until(() -> journal.ran("before"));
        byte[] snapshot = consul.admin().snapshot();
        age(consul);
        long first = journal.highestToken();
        consul.admin().destroySession(holdingSession(consul));
        eventually().until(() -> journal.ranAbove(first));
        long mark = journal.highestToken();
        before.close();

        try (ConsulProcess fresh = ConsulProcess.start()) {
            fresh.admin().restore(snapshot);
            eventually().until(() -> !holdingSession(fresh).isEmpty());
            fresh.admin().destroySession(holdingSession(fresh));
            ConsulNode after = writing("after", fresh);
            ConsulNode standby = writing("standby", fresh);

            assertRegression(after, standby, fresh, mark);
            after.close();
            standby.close();
        }
    }

    private void assertRegression(ConsulNode either, ConsulNode other, ConsulProcess fresh, long mark)
            throws Exception {
        eventually().until(() -> regression(either).or(() -> regression(other)).isPresent());
        ConsulNode stuck = regression(either).isPresent() ? either : other;
        TokenRegression found = regression(stuck).orElseThrow();
        assertThat(found.mark()).isEqualTo(mark);
        assertThat(found.token()).isLessThan(mark);
        assertDown(stuck, found);

        String holder = holdingSession(fresh);
        during(Duration.ofSeconds(2)).until(() -> holdingSession(fresh).equals(holder));
        assertThat(holder).as("kept, not handed round").isNotEmpty();
        assertThat(journal.highestToken()).as("nothing started").isEqualTo(mark);

        long above = stuck.component.openGeneration(lease, 0).get(30, TimeUnit.SECONDS);
        eventually().until(() -> journal.ranAbove(above));
        eventually().until(() -> health(stuck).getState() == State.UP);
        assertThat(above).isGreaterThan(mark);
        assertThat(written()).isEqualTo(journal.highestToken());
    }

    /** The process keeps running and nobody re-creates any object: apache/curator#515, hazelcast/hazelcast#17436. */
    // T31: CURATOR-724, T35: hazelcast#17436
    @Test
    void aConsulWipedUnderARunningNodeIsNoticedToldAndMended() throws Exception {
        age(consul);
        ConsulNode node = writing("a", consul);
        eventually().until(() -> journal.ran("a"));
        long mark = journal.highestToken();

        consul.restartEmpty();

        eventually().until(() -> regression(node).isPresent());
        TokenRegression found = regression(node).orElseThrow();
        assertThat(found.mark()).isEqualTo(mark);
        assertThat(found.forgotten()).isTrue();
        assertDown(node, found);
        assertThat(journal.highestToken()).isEqualTo(mark);
        // the wiped service has no mark; another node, or a restarted one, has only the fence to remember
        node.close();
        ConsulNode next = writing("b", consul);
        eventually().until(() -> regression(next).isPresent());
        assertThat(regression(next).orElseThrow().resource()).isEqualTo("database 'db'");

        long above = next.component.openGeneration(lease, 0).get(30, TimeUnit.SECONDS);
        eventually().until(() -> journal.ranAbove(above));
        assertThat(above).isGreaterThan(mark);
    }

    /** What the guarantees say of a restore into the same cluster: void until the next raise, which then is higher. */
    @Test
    void aSnapshotRestoredIntoTheSameConsulBringsTheOldMarkBackUntilTheNextTenure() throws Exception {
        ConsulNode node = writing("a", consul);
        eventually().until(() -> journal.ran("a"));
        long first = journal.highestToken();
        byte[] snapshot = consul.admin().snapshot();
        consul.admin().destroySession(holdingSession(consul));
        eventually().until(() -> journal.ranAbove(first));
        long second = journal.highestToken();
        assertThat(mark().token()).isEqualTo(second);

        consul.admin().restore(snapshot);
        assertThat(mark().token()).isEqualTo(first);

        eventually().until(() -> journal.ranAbove(second));
        assertThat(mark().token()).isEqualTo(journal.highestToken());
        assertThat(regression(node)).isEmpty();
        journal.assertNoOverlap();
    }

    @Test
    void anEqualTokenOfAnotherTenureIsARegressionToo() throws Exception {
        Leases node = leases("a");
        AtomicInteger raises = new AtomicInteger();
        node.onRaise(name(), tenure -> {
            if (raises.getAndIncrement() == 0) {
                fence().raise(new Tenure(tenure.lease(), tenure.token(), "of the other cluster"));
            }
            fence().raise(tenure);
        });
        CompletableFuture<Lease> held = node.acquire(name());

        eventually().until(() -> node.report(name()).regression().isPresent());
        TokenRegression found = node.report(name()).regression().orElseThrow();
        assertThat(found.mark()).isEqualTo(found.token());
        assertThat(found.toString()).contains("under another tenure");
        assertThat(held).isNotDone();

        long above = node.openGeneration(name()).get(30, TimeUnit.SECONDS);
        assertThat(held.get(60, TimeUnit.SECONDS).token().value()).isGreaterThan(above);
    }

    /** A is paused between its acquisition and its raise; meanwhile B acquires and raises. Nothing has regressed. */
    @Test
    void whoIsMerelyLateWithItsRaiseHasLostTheLeaseAndNothingElse() throws Exception {
        Leases a = leases("a");
        Leases b = leases("b");
        Gate gate = new Gate();
        a.onRaise(name(), tenure -> {
            gate.pass();
            fence().raise(tenure);
        });
        b.onRaise(name(), tenure -> fence().raise(tenure));
        CompletableFuture<Lease> ofA = a.acquire(name());
        gate.awaitArrival();

        consul.admin().destroySession(holdingSession(consul));
        Lease ofB = b.acquire(name()).get(60, TimeUnit.SECONDS);
        gate.open();

        eventually().until(() -> a.report(name()).state() == LeaseReport.State.WAITING);
        during(Duration.ofSeconds(2)).until(() -> a.report(name()).regression().isEmpty());
        assertThat(a.report(name()).problem().orElse("")).doesNotContain("openGeneration");
        assertThat(ofA).isNotDone();
        ofB.close();
        assertThat(ofA.get(60, TimeUnit.SECONDS).token()).isGreaterThan(ofB.token());
    }

    private void assertDown(ConsulNode node, TokenRegression found) {
        assertThat(node.routeStatus().isStopped()).isTrue();
        HealthCheck.Result down = health(node);
        assertThat(down.getState()).isEqualTo(State.DOWN);
        assertThat(down.getMessage().orElseThrow())
                .contains("token " + found.token(), Long.toString(found.mark()), "openGeneration");
    }

    private static HealthCheck.Result health(ConsulNode node) {
        return HealthCheckHelper.getHealthCheck(node.context, "fencedlease").call();
    }

    private static Optional<TokenRegression> regression(ConsulNode node) {
        return node.component.reports().isEmpty()
                ? Optional.empty()
                : node.report().regression();
    }

    private ConsulNode writing(String name, ConsulProcess where) {
        ConsulNode node = new ConsulNode(name, lease, where.httpPort(), journal);
        open.add(node);
        node.context.getRegistry().bind("db", pool);
        String write = "fencedlease:" + lease + ":sql:INSERT INTO written VALUES ('" + name
                + "', :#FencingToken)?dataSource=#db";
        return node.leased(Way.POLICY, ConsulNode.TIMER, route -> route.to(write))
                .start();
    }

    private Leases leases(String holder) {
        Leases leases = Leases.builder(new ConsulBackend(settings()))
                .settings(ConsulNode.TIMES)
                .holder(holder)
                .build();
        open.add(leases);
        return leases;
    }

    private SqlFence fence() {
        return new SqlFence(name(), "written", pool, SqlFenceOptions.defaults());
    }

    private LeaseName name() {
        return new LeaseName(lease);
    }

    private static ConsulSettings settings() {
        return ConsulSettings.builder().address(consul.url().toString()).build();
    }

    private ConsulMark mark() throws Exception {
        try (ConsulMarks marks = new ConsulMarks(settings(), Duration.ofSeconds(5))) {
            return marks.read(name())
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS)
                    .orElseThrow();
        }
    }

    private long written() {
        return jdbc.queryForObject("select max(token) from written", Long.class);
    }

    private String holdingSession(ConsulProcess where) {
        return where.admin()
                .entry("fencedlease/leases/" + lease)
                .map(entry -> entry.path("Session").asText(""))
                .orElse("");
    }

    /** Time goes by: the index rises. */
    private static void age(ConsulProcess where) {
        ConsulAdmin admin = where.admin();
        for (int i = 0; i < 100; i++) {
            admin.put("other/people", "write " + i);
        }
    }
}
