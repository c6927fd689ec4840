package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Goal: of a lease's messages a resource takes no lower token once it has taken a higher one. Two receivers, one database. */
abstract class SqlReceiverContract {

    private static final LeaseName LEASE = new LeaseName("invoice-closer");
    private static final int MESSAGES = 300;

    private DataSource dataSource;
    private JdbcTemplate jdbc;
    private SqlReceiver here;
    private SqlReceiver there;

    /** A fresh, empty database. */
    abstract DataSource freshDatabase();

    @BeforeEach
    void open() {
        dataSource = freshDatabase();
        jdbc = new JdbcTemplate(dataSource);
        here = receiver(LEASE, "ledger");
        there = receiver(LEASE, "ledger");
        jdbc.execute("CREATE TABLE taken (token BIGINT NOT NULL)");
    }

    private SqlReceiver receiver(LeaseName lease, String resource) {
        return new SqlReceiver(lease, resource, "db", dataSource, SqlFenceOptions.defaults());
    }

    private static Tenure tenure(long token) {
        return new Tenure(LEASE, new FencingToken(token), "nonce-" + token);
    }

    private TransactionTemplate transaction() {
        return new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    private void take(SqlReceiver receiver, Tenure presented) {
        transaction().executeWithoutResult(status -> {
            receiver.admit(presented);
            jdbc.update(
                    "INSERT INTO taken (token) VALUES (?)", presented.token().value());
        });
    }

    private List<Long> taken() {
        return jdbc.queryForList("SELECT token FROM taken", Long.class);
    }

    @Test
    void aLowerTokenIsStaleOnceAHigherOneWasTaken() {
        take(here, tenure(7));
        take(there, tenure(9));

        assertThatThrownBy(() -> take(here, tenure(7)))
                .isInstanceOfSatisfying(
                        FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(9))
                .hasMessageContaining("ledger");
        take(here, tenure(9));
        take(here, tenure(Long.MAX_VALUE));
        assertThatThrownBy(() -> take(here, tenure(Long.MAX_VALUE - 1))).isInstanceOf(FencedOutException.class);
        assertThat(taken()).containsExactly(7L, 9L, 9L, Long.MAX_VALUE);
    }

    @Test
    void anEqualTokenOfAnotherTenureIsStaleWhereBothNoncesAreKnown() {
        take(here, new Tenure(LEASE, new FencingToken(7), ""));
        take(here, tenure(7));
        take(here, new Tenure(LEASE, new FencingToken(7), ""));

        assertThatThrownBy(() -> take(there, new Tenure(LEASE, new FencingToken(7), "of-another-cluster")))
                .isInstanceOf(FencedOutException.class)
                .hasMessageContaining("went backwards");
    }

    @Test
    void whatIsRolledBackWasNeverHeard() {
        take(here, tenure(7));
        transaction().executeWithoutResult(status -> {
            here.admit(tenure(9));
            status.setRollbackOnly();
        });
        take(there, tenure(8));
        assertThat(taken()).containsExactly(7L, 8L);
    }

    @Test
    void aRollbackToASavepointDoesNotOpenTheDoor() {
        take(here, tenure(7));
        Throwable refused = catchThrowable(() -> transaction().executeWithoutResult(status -> {
            Object savepoint = status.createSavepoint();
            here.admit(tenure(8));
            status.rollbackToSavepoint(savepoint);
            status.releaseSavepoint(savepoint);
            // the lock is gone: another message of a later tenure gets through
            CompletableFuture.runAsync(() -> take(there, tenure(9)))
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
            jdbc.update("INSERT INTO taken (token) VALUES (8)");
        }));
        assertThat(refused).isInstanceOf(FencedOutException.class);
        assertThat(taken()).containsExactly(7L, 9L);
    }

    @Test
    void leasesAndResourcesAreCountedApart() {
        take(here, tenure(9));
        take(receiver(LEASE, "Ledger"), tenure(3));
        var other = new LeaseName("Invoice-Closer");
        take(receiver(other, "ledger"), new Tenure(other, new FencingToken(4), "n"));
        assertThat(taken()).containsExactly(9L, 3L, 4L);
    }

    @Test
    void ofTwoTenuresThatSendAtOnceNoneIsTakenAfterALaterOne() throws Exception {
        jdbc.execute("CREATE TABLE sequence_of_taken (n INT NOT NULL, token BIGINT NOT NULL)");
        jdbc.execute("CREATE TABLE last_n (n INT NOT NULL)");
        jdbc.update("INSERT INTO last_n (n) VALUES (0)");
        List<CompletableFuture<Integer>> senders = Stream.of(here, there)
                .map(receiver -> CompletableFuture.supplyAsync(() -> sendRising(receiver)))
                .toList();
        int accepted = 0;
        for (CompletableFuture<Integer> sender : senders) {
            accepted += sender.get(120, TimeUnit.SECONDS);
        }

        List<Long> order = jdbc.queryForList("SELECT token FROM sequence_of_taken ORDER BY n", Long.class);
        assertThat(order).hasSize(accepted).isSorted();
        assertThat(order).contains((long) MESSAGES);
    }

    /** Both senders present 1, 1, 2, 2 .. as fast as they can, so that each meets the other's later ones. */
    private int sendRising(SqlReceiver receiver) {
        int accepted = 0;
        for (int i = 2; i <= 2 * MESSAGES; i++) {
            Tenure presented = tenure(i / 2);
            try {
                transaction().executeWithoutResult(status -> {
                    receiver.admit(presented);
                    // under the receiver's lock, so this is the order of the commits
                    jdbc.update("UPDATE last_n SET n = n + 1");
                    jdbc.update(
                            "INSERT INTO sequence_of_taken (n, token) SELECT n, ? FROM last_n",
                            presented.token().value());
                });
                accepted++;
            } catch (FencedOutException stale) {
                // the other one was ahead
            }
        }
        return accepted;
    }

    @Test
    void withoutATransactionOrInAReadOnlyOneNothingIsAdmitted() {
        assertThatThrownBy(() -> here.admit(tenure(7)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transacted()");
        TransactionTemplate readOnly = transaction();
        readOnly.setReadOnly(true);
        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> here.admit(tenure(7))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void aTransactionOfAnotherDatabaseAdmitsNothing() {
        TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(freshDatabase()));
        assertThatThrownBy(() -> elsewhere.executeWithoutResult(status -> {
                    jdbc.update("INSERT INTO taken (token) VALUES (1)"); // binds a connection, in auto-commit
                    here.admit(tenure(7));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("auto-commit");
        assertThat(jdbc.queryForList("SELECT token FROM fencedlease_received", Long.class))
                .containsExactly(0L);
    }

    @Test
    void messagesOfTwoTenuresAreTakenInOneTransactionIfTheyComeInOrder() {
        transaction().executeWithoutResult(status -> {
            here.admit(tenure(7));
            here.admit(tenure(9));
            jdbc.update("INSERT INTO taken (token) VALUES (9)");
        });
        assertThat(taken()).containsExactly(9L);
        assertThatThrownBy(() -> take(there, tenure(8))).isInstanceOf(FencedOutException.class);
        assertThatThrownBy(() -> transaction().executeWithoutResult(status -> {
                    here.admit(tenure(11));
                    here.admit(tenure(10));
                }))
                .isInstanceOf(FencedOutException.class);
    }

    @Test
    void aDeletedRowShutsTheDoor() {
        take(here, tenure(9));
        jdbc.update("DELETE FROM fencedlease_received");

        assertThatThrownBy(() -> take(here, tenure(7)))
                .isInstanceOf(FenceUnavailableException.class)
                .hasMessageContaining("restart the receiver");
        assertThat(taken()).containsExactly(9L);
    }

    @Test
    void inASerializableTransactionAStaleMessageIsRefusedToo() {
        here.prepare();
        TransactionTemplate serializable = transaction();
        serializable.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
        take(there, tenure(9));
        assertThatThrownBy(() -> serializable.executeWithoutResult(status -> here.admit(tenure(7))))
                .isInstanceOf(FencedOutException.class);
        serializable.executeWithoutResult(status -> here.admit(tenure(10)));
        assertThatThrownBy(() -> take(there, tenure(9))).isInstanceOf(FencedOutException.class);
    }

    @Test
    void receiversThatStartAtOnceDoNotFailEachOther() throws Exception {
        List<CompletableFuture<Void>> starts = Stream.generate(() -> receiver(LEASE, "ledger"))
                .limit(6)
                .map(receiver -> CompletableFuture.runAsync(receiver::prepare))
                .toList();
        for (CompletableFuture<Void> start : starts) {
            start.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aNameThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> receiver(LEASE, "x".repeat(129)))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("invoice-closer", "128");
    }
}
