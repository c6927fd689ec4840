package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fencedlease.contract.FenceContract;
import io.fencedlease.fence.Fence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Two nodes with a fence each in one fresh database, and a table they write to. */
abstract class SqlFenceBench extends FenceContract {

    static final SqlFenceOptions OPTIONS = SqlFenceOptions.defaults().withRaiseTimeout(Duration.ofSeconds(1));

    CountingDataSource dataSource;
    SqlFence here;
    SqlFence there;
    JdbcTemplate jdbc;

    /** A fresh, empty database. */
    abstract DataSource freshDatabase();

    @BeforeEach
    void open() {
        dataSource = new CountingDataSource(freshDatabase());
        jdbc = new JdbcTemplate(dataSource);
        here = fence(OPTIONS);
        there = fence(OPTIONS);
        jdbc.execute("CREATE TABLE sink (what VARCHAR(100) NOT NULL)");
    }

    @AfterEach
    void everyConnectionIsGivenBack() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(dataSource.open()).isZero());
    }

    SqlFence fence(SqlFenceOptions options) {
        return new SqlFence(LEASE, "db", dataSource, options);
    }

    @Override
    protected Fence fence() {
        return here;
    }

    @Override
    protected Fence elsewhere() {
        return there;
    }

    @Override
    protected Callable<Void> write(String what) {
        return () -> {
            insert(what);
            return null;
        };
    }

    @Override
    protected List<String> written() {
        return jdbc.queryForList("SELECT what FROM sink", String.class);
    }

    @Override
    protected Duration raiseTimeout() {
        return OPTIONS.raiseTimeout();
    }

    void insert(String what) {
        jdbc.update("INSERT INTO sink (what) VALUES (?)", what);
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    TransactionTemplate transaction(int isolation) {
        TransactionTemplate template = transaction();
        template.setIsolationLevel(isolation);
        return template;
    }

    TransactionTemplate requiresNew() {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    static CompletableFuture<Throwable> inBackground(ThrowingCallable work) {
        return CompletableFuture.supplyAsync(() -> catchThrowable(work));
    }

    static Throwable outcome(CompletableFuture<Throwable> work) throws Exception {
        return work.get(60, TimeUnit.SECONDS);
    }
}
