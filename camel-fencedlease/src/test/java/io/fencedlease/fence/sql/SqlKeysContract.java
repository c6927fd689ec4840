package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.FencedKeysContract;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.fence.HashedKey;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Keys in a database, beyond the contract of all keys. */
abstract class SqlKeysContract extends FencedKeysContract {

    private CountingDataSource dataSource;

    abstract DataSource freshDatabase();

    @BeforeEach
    void noConnectionIsOpen() {
        assertThat(dataSource().open()).isZero();
    }

    @Override
    protected FencedKeys keys(LeaseName lease, String repository, Ticker ticker) {
        return keys(dataSource(), lease, repository, ticker, SqlFenceOptions.defaults());
    }

    private static SqlKeys keys(
            DataSource source, LeaseName lease, String repository, Ticker ticker, SqlFenceOptions options) {
        return new SqlKeys(lease, repository, "db", source, new JdbcTransactionManager(source), options, ticker);
    }

    CountingDataSource dataSource() {
        if (dataSource == null) {
            dataSource = new CountingDataSource(freshDatabase());
        }
        return dataSource;
    }

    @Test
    void aThousandOperationsLeaveNoConnectionOpen() throws Exception {
        raise(here, tenure(7));
        SingleConnectionDataSource one = new SingleConnectionDataSource(dataSource.getConnection(), true);
        CountingDataSource counting = new CountingDataSource(one);
        SqlKeys keys = keys(counting, LEASE, "orders", ticker(), SqlFenceOptions.defaults());
        for (int i = 0; i < 250; i++) {
            keys.add(tenure(7), "key " + i);
            keys.contains(tenure(7), "key " + i);
            keys.confirm(tenure(7), "key " + i);
            keys.remove(tenure(7), "key " + i);
        }
        raise(there, tenure(9));
        assertThatThrownBy(() -> keys.add(tenure(7), "stale")).isInstanceOf(FencedOutException.class);
        keys.cleanup(Duration.ZERO);
        assertThat(counting.open()).isZero();
        one.destroy();

        assertThat(dataSource.open()).isZero();
    }

    @Test
    void nodesThatStartTogetherMakeTheTableTogether() throws Exception {
        List<CompletableFuture<Void>> starts = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> keys(LEASE, "orders", ticker()).prepare()))
                .toList();

        for (CompletableFuture<Void> start : starts) {
            start.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aMissingTableIsRefusedIfItMustNotBeMade() {
        SqlFenceOptions byHand = SqlFenceOptions.defaults().withCreateTables(false);
        new SqlFence(LEASE, "db", dataSource, SqlFenceOptions.defaults()).prepare();

        assertThatThrownBy(() ->
                        keys(dataSource, LEASE, "orders", ticker(), byHand).prepare())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("fencedlease_keys")
                .hasMessageContaining("keys-");
    }

    @Test
    void leasesShareNoKeysUnderOneName() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        LeaseName other = new LeaseName("mail-poller");
        Tenure ofOther = new Tenure(other, new FencingToken(3), "n");
        FencedKeys keys = keys(other, "orders", ticker());
        keys.fence().raise(ofOther);

        assertThat(keys.add(ofOther, "a")).isEqualTo(Found.NEW);
    }

    @Test
    void anAddInsideATransactionThatRollsBackNeverWas() throws Exception {
        raise(here, tenure(7));
        TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        outer.executeWithoutResult(status -> {
            assertThat(here.add(tenure(7), "a")).isEqualTo(Found.NEW);
            assertThat(here.add(tenure(7), "a")).isEqualTo(Found.OURS);
            status.setRollbackOnly();
        });
        assertThat(here.add(tenure(7), "a")).isEqualTo(Found.NEW);
    }

    @Test
    void anAddInsideATransactionGoesWithItsFence() throws Exception {
        raise(here, tenure(7));
        TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        outer.executeWithoutResult(status -> here.add(tenure(7), "a"));
        raise(there, tenure(9));

        assertThatThrownBy(() -> outer.executeWithoutResult(status -> here.add(tenure(7), "b")))
                .isInstanceOf(FencedOutException.class);
        assertThat(there.add(tenure(9), "a")).isEqualTo(Found.HALF_DONE);
        assertThat(there.add(tenure(9), "b")).isEqualTo(Found.NEW);
    }

    /** The transaction's snapshot is older than the entry; its insert fails, and must not end the transaction. */
    @Test
    void anEntryYoungerThanTheTransactionIsSeenAllTheSame() throws Exception {
        raise(here, tenure(7));
        TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        outer.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        outer.executeWithoutResult(status -> {
            assertThat(here.contains(tenure(7), "a")).isFalse();
            otherThreadAdds("a");
            assertThat(here.add(tenure(7), "a")).isEqualTo(Found.OURS);
            assertThat(here.add(tenure(7), "b")).isEqualTo(Found.NEW);
        });
        assertThat(here.add(tenure(7), "b")).isEqualTo(Found.OURS);
    }

    /** Inserts past the fence, since some databases let one guarded transaction at a time. */
    private void otherThreadAdds(String key) {
        CompletableFuture.runAsync(() -> new JdbcTemplate(dataSource)
                        .update(
                                "INSERT INTO fencedlease_keys(lease, repository, key_hash, key_text, token, confirmed)"
                                        + " VALUES (?, 'orders', ?, '', 7, FALSE)",
                                LEASE.value(),
                                new HashedKey(key).hash()))
                .join();
    }

    @Test
    void anEntryOfALaterTenureIsARefusalAndNotADuplicate() throws Exception {
        raise(here, tenure(7));
        here.add(tenure(7), "a");
        new JdbcTemplate(dataSource).update("UPDATE fencedlease_keys SET token = 8");

        assertThatThrownBy(() -> here.add(tenure(7), "a"))
                .isInstanceOf(FencedOutException.class)
                .hasMessageContaining("went backwards");
        assertThatThrownBy(() -> here.contains(tenure(7), "a")).isInstanceOf(FencedOutException.class);
    }
}
