package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a fence in a database must do beyond the contract of all fences. */
abstract class SqlFenceContract extends SqlFenceBench {

    /** The same database over connections that wait for a lock no longer than about a second. */
    abstract DataSource impatient();

    // T86: openbao#1571
    @Test
    void aStaleTransactionOfInsertDeleteAndUpdateChangesNothing() throws Exception {
        here.raise(tenure(7));
        here.guard(tenure(7), write("kept"));
        there.raise(tenure(9));

        assertThatThrownBy(() -> here.guard(tenure(7), () -> {
                    insert("new");
                    jdbc.update("UPDATE sink SET what = 'changed'");
                    return jdbc.update("DELETE FROM sink");
                }))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).containsExactly("kept");
    }

    @Test
    void severalStatementsOfTheHolderTakeEffectTogether() throws Exception {
        here.raise(tenure(7));
        here.guard(tenure(7), () -> {
            insert("one");
            insert("two");
            return jdbc.update("DELETE FROM sink WHERE what = 'one'");
        });

        assertThat(written()).containsExactly("two");
    }

    @Test
    void aWriteCanDemandItsRollbackWithoutAnException() throws Exception {
        here.raise(tenure(7));
        String result = here.guardInTransaction(tenure(7), transaction -> {
            insert("dropped");
            transaction.setRollbackOnly();
            return "no exception";
        });

        assertThat(result).isEqualTo("no exception");
        assertThat(written()).isEmpty();
    }

    @Test
    void aSessionEndedBetweenTheLastCheckAndTheCommitLandsNothing() throws Exception {
        here.raise(tenure(7));
        Pause pause = new Pause();
        CompletableFuture<Throwable> holder = inBackground(() -> here.guard(tenure(7), () -> {
            insert("paused");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    pause.here();
                }
            });
            return null;
        }));
        pause.awaitReached();
        there.raise(tenure(9));
        pause.end();

        assertThat(outcome(holder)).isNotNull();
        assertThat(written()).isEmpty();
    }

    @Test
    void withoutEvictionARaiseNamesWhoBlocksItAndWorksOnceTheyAreGone() throws Exception {
        SqlFence gentle = fence(OPTIONS.withEvict(false));
        here.raise(tenure(7));
        Pause pause = new Pause();
        CompletableFuture<Throwable> holder = inBackground(() -> here.guard(tenure(7), () -> {
            insert("slow");
            pause.here();
            return null;
        }));
        pause.awaitReached();

        assertThatThrownBy(() -> gentle.raise(tenure(9)))
                .isInstanceOf(FenceUnavailableException.class)
                .hasMessageContaining("blocked by database session")
                .hasMessageContaining("evict=false");
        pause.end();
        assertThat(outcome(holder)).isNull();
        gentle.raise(tenure(9));
        assertThat(written()).containsExactly("slow");
    }

    /** It may have waited for the lock before it compared, and then its successor is who blocks it. */
    @Test
    void aRaiseThatWakesLateDoesNotEndTheTransactionOfItsSuccessor() throws Exception {
        Pause late = new Pause();
        SqlFence slow = new SqlFence(LEASE, "db", new PausedBeforeLift(dataSource, late::here), OPTIONS);
        here.raise(tenure(5));
        CompletableFuture<Throwable> stale = inBackground(() -> slow.raise(tenure(7)));
        late.awaitReached();
        there.raise(tenure(9));
        Pause writing = new Pause();
        CompletableFuture<Throwable> successor = inBackground(() -> there.guard(tenure(9), () -> {
            insert("nine");
            writing.here();
            return null;
        }));
        writing.awaitReached();
        late.end();

        assertThat(outcome(stale)).isInstanceOfSatisfying(RaiseRefusedException.class, e -> assertThat(e.mark())
                .isEqualTo(9));
        writing.end();
        assertThat(outcome(successor)).isNull();
        assertThat(written()).containsExactly("nine");
    }

    @Test
    void aSecondFenceThatIsRaisedInsideAGuardedTransactionDoesNotEndIt() throws Exception {
        here.raise(tenure(7));
        here.guard(tenure(7), () -> {
            insert("first");
            there.raise(tenure(7));
            return there.guard(tenure(7), write("second"));
        });

        assertThat(written()).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void aSessionThatNoLongerBlocksIsNotEnded() throws Exception {
        here.prepare();
        try (var bystander = dataSource.getConnection();
                var waiting = dataSource.getConnection();
                var watching = dataSource.getConnection()) {
            SqlDialect dialect = SqlDialect.of(watching.getMetaData(), "x");
            JdbcTemplate their = template(bystander);
            long id = SqlDialect.one(their, Long.class, dialect.sessionId());
            long blocked = SqlDialect.one(template(waiting), Long.class, dialect.sessionId());
            dialect.end(template(watching), new SqlDialect.Blocker(id, "as seen a while ago"), blocked);

            assertThat(SqlDialect.one(their, Long.class, dialect.sessionId())).isEqualTo(id);
        }
    }

    private static JdbcTemplate template(java.sql.Connection connection) {
        return new JdbcTemplate(new SingleConnectionDataSource(connection, true));
    }

    @Test
    void anAnnouncedRaiseAlreadyShutsOutNewWritesOfTheOldHolder() throws Exception {
        here.raise(tenure(7));
        jdbc.update("UPDATE fencedlease_intent SET token = 9");

        assertThatThrownBy(() -> here.guard(tenure(7), write("stale")))
                .isInstanceOfSatisfying(
                        FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(9));
        assertThatThrownBy(() -> here.raise(tenure(7))).isInstanceOf(RaiseRefusedException.class);
    }

    @Test
    void aGuardedWriteJoinsTheOuterTransaction() throws Exception {
        here.raise(tenure(7));
        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    guarded(7, "joined");
                    throw new IllegalStateException("outer work fails");
                }))
                .hasMessage("outer work fails");

        assertThat(written()).isEmpty();
    }

    @Test
    void aRefusedWriteThatWasCaughtStillRollsBackTheOuterTransaction() throws Exception {
        there.raise(tenure(9));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    insert("before");
                    assertThatThrownBy(() -> guarded(7, "stale")).isInstanceOf(FencedOutException.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void aRollbackToASavepointDoesNotOpenTheFence() throws Exception {
        here.raise(tenure(7));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    Object savepoint = outer.createSavepoint();
                    guarded(7, "undone");
                    outer.rollbackToSavepoint(savepoint);
                    raisedElsewhere(9);
                    insert("stale");
                }))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void aRollbackToASavepointInsideTheWriteDoesNotOpenTheFence() throws Exception {
        here.raise(tenure(7));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    Object savepoint = outer.createSavepoint();
                    here.requireInTransaction(tenure(7));
                    outer.rollbackToSavepoint(savepoint);
                    raisedElsewhere(9);
                    insert("stale");
                }))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void aTransactionOpenedBeforeTheRaiseLearnsThatItIsFencedOut(int isolation) throws Exception {
        AtomicBoolean refused = new AtomicBoolean();
        here.raise(tenure(7));

        catchThrowable(() -> transaction(isolation).executeWithoutResult(outer -> {
            jdbc.queryForList("SELECT token FROM fencedlease_fence");
            raisedElsewhere(9);
            assertThatThrownBy(() -> guarded(7, "stale")).isInstanceOf(FencedOutException.class);
            refused.set(true);
        }));
        assertThat(refused).isTrue();
        assertThat(written()).isEmpty();
    }

    /** Some databases lock whatever such a transaction reads, the intent too. */
    @Test
    void aPausedSerializableTransactionHoldsUpTheRaiseForABoundedTimeAsWell() throws Exception {
        here.raise(tenure(7));
        Pause pause = new Pause();
        CompletableFuture<Throwable> holder = inBackground(
                () -> transaction(TransactionDefinition.ISOLATION_SERIALIZABLE).executeWithoutResult(outer -> {
                    guarded(7, "paused");
                    pause.here();
                }));
        pause.awaitReached();
        Duration took;
        try {
            took = measure(() -> there.raise(tenure(9)));
        } finally {
            pause.end();
        }
        assertThat(outcome(holder)).isNotNull();
        assertThat(written()).isEmpty();
        assertThat(took).isLessThan(raiseTimeout().plusSeconds(3));
    }

    @Test
    void theGuardStepFencesWhatTheTransactionWroteBeforeAndAfter() throws Exception {
        here.raise(tenure(7));
        transaction().executeWithoutResult(outer -> {
            insert("before");
            here.requireInTransaction(tenure(7));
            insert("after");
        });
        there.raise(tenure(9));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    insert("stale");
                    here.requireInTransaction(tenure(7));
                }))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void aRefusalOfTheGuardStepThatWasCaughtDoesNotCommit() throws Exception {
        there.raise(tenure(9));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    insert("before");
                    assertThatThrownBy(() -> here.requireInTransaction(tenure(7)))
                            .isInstanceOf(FencedOutException.class);
                    insert("after");
                }))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void aRefusalInsideATransactionOfAnotherManagerDoesNotLetTheGuardedOneCommit() throws Exception {
        there.raise(tenure(9));
        TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(impatient()));

        assertThatThrownBy(() -> transaction().executeWithoutResult(outer -> {
                    insert("before");
                    assertThatThrownBy(
                                    () -> elsewhere.executeWithoutResult(inner -> here.requireInTransaction(tenure(7))))
                            .isInstanceOf(FencedOutException.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void theGuardStepWithoutATransactionSaysWhatToDo() throws Exception {
        here.raise(tenure(7));

        assertThatThrownBy(() -> here.requireInTransaction(tenure(7)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transacted()");
    }

    @Test
    void theGuardStepIsNotDeceivedByATransactionOnAnotherDatabase() throws Exception {
        here.raise(tenure(7));
        TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(impatient()));

        assertThatThrownBy(() -> elsewhere.executeWithoutResult(outer -> {
                    written(); // binds a connection of ours, in auto-commit
                    here.requireInTransaction(tenure(7));
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTransactionManagerOfAnotherDataSourceIsRefused() throws Exception {
        here.raise(tenure(7));
        SqlFence wrong = new SqlFence(LEASE, "db", dataSource, new JdbcTransactionManager(impatient()), OPTIONS);

        assertThatThrownBy(() -> wrong.guard(tenure(7), write("unguarded")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("auto-commit");
        assertThat(written()).isEmpty();
    }

    @Test
    void aReadOnlyTransactionIsRefusedByName() throws Exception {
        here.raise(tenure(7));
        var readOnly = transaction();
        readOnly.setReadOnly(true);

        assertThatThrownBy(() -> readOnly.executeWithoutResult(outer -> guarded(7, "no")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void aSuspendedTransactionIsNotCoveredAsDocumented() throws Exception {
        here.raise(tenure(7));
        transaction().executeWithoutResult(outer -> {
            requiresNew().executeWithoutResult(inner -> guarded(7, "inner"));
            raisedElsewhere(9);
            insert("outer, which nothing guards");
        });

        assertThat(written()).hasSize(2);
    }

    @Test
    void whatTheWriteItselfThrowsIsNotTakenForAFence() throws Exception {
        jdbc.execute("CREATE TABLE once (id INT PRIMARY KEY)");
        here.raise(tenure(7));
        here.guard(tenure(7), () -> jdbc.update("INSERT INTO once VALUES (1)"));

        assertThatThrownBy(() -> here.guard(tenure(7), () -> jdbc.update("INSERT INTO once VALUES (1)")))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    // T51: spring-integration#3445, T88: KAFKA-9911
    @Test
    void aLockThatDoesNotComeIsTransientForTheHolder() throws Exception {
        here.raise(tenure(7));
        SqlFence hasty = new SqlFence(LEASE, "db", impatient(), OPTIONS);

        transaction().executeWithoutResult(other -> {
            jdbc.update("UPDATE fencedlease_fence SET nonce = nonce, writes = writes + 1");
            assertThat(outcomeOf(() -> hasty.guard(tenure(7), write("no"))))
                    .isInstanceOf(FenceUnavailableException.class)
                    .hasMessageContaining("nothing was written");
        });
        hasty.guard(tenure(7), write("now"));
        assertThat(written()).containsExactly("now");
    }

    @Test
    void aStatementThatTakesTooLongIsRolledBackAndIsNoRefusal() throws Exception {
        here.raise(tenure(7));

        assertThat(stuckBehindAnother(() -> {})).isInstanceOf(DataAccessException.class);
        assertThat(written()).isEmpty();
        here.guard(tenure(7), write("now"));
        assertThat(written()).containsExactly("now");
    }

    @Test
    void aHolderWhoseStatementTakesTooLongLearnsThatItIsFencedOut() throws Exception {
        here.raise(tenure(7));

        assertThat(stuckBehindAnother(() -> requiresNew()
                        .executeWithoutResult(raising -> jdbc.update("UPDATE fencedlease_intent SET token = 9"))))
                .isInstanceOf(FencedOutException.class);
        assertThat(written()).isEmpty();
    }

    /** What comes of a guarded write that updates a row which another transaction holds for longer. */
    private Throwable stuckBehindAnother(Runnable meanwhile) {
        twoSlots();
        JdbcTemplate hasty = new JdbcTemplate(dataSource);
        hasty.setQueryTimeout(1);
        return transaction().execute(other -> {
            jdbc.update("UPDATE slot SET n = 1 WHERE id = 1");
            return outcomeOf(() -> here.guard(tenure(7), () -> {
                insert("rolled back");
                meanwhile.run();
                return hasty.update("UPDATE slot SET n = 2 WHERE id = 1");
            }));
        });
    }

    void twoSlots() {
        jdbc.execute("CREATE TABLE slot (id INT PRIMARY KEY, n INT NOT NULL)");
        jdbc.execute("INSERT INTO slot VALUES (1, 0), (2, 0)");
    }

    @Test
    void aMarkThatWentBackwardsIsToldApartAndNotLifted() throws Exception {
        here.raise(tenure(9));
        jdbc.update("UPDATE fencedlease_fence SET token = 5, nonce = 'lost'");

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> here.guard(tenure(9), write("no")))
                    .isInstanceOfSatisfying(
                            FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(5))
                    .hasMessageContaining("mark went backwards");
        }
        here.raise(tenure(9));
        here.guard(tenure(9), write("raised again"));
    }

    // T56: redisson#6510
    @Test
    void aRowThatWasDeletedComesBackWithTheNextRaise() throws Exception {
        here.raise(tenure(6));
        here.raise(tenure(7));
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM fencedlease_fence", Integer.class))
                .as("rows after two tenures of one lease")
                .isEqualTo(1);
        jdbc.update("DELETE FROM fencedlease_fence");

        assertThatThrownBy(() -> here.guard(tenure(7), write("no"))).isInstanceOf(FencedOutException.class);
        here.raise(tenure(7));
        here.guard(tenure(7), write("yes"));
    }

    @Test
    void theRowWritingLockFencesAsWell() throws Exception {
        SqlFence writing = fence(OPTIONS.withLock(SqlFenceOptions.Lock.UPDATE));
        writing.raise(tenure(7));
        writing.guard(tenure(7), write("seven"));
        there.raise(tenure(9));

        assertThatThrownBy(() -> writing.guard(tenure(7), write("stale"))).isInstanceOf(FencedOutException.class);
        assertThat(jdbc.queryForObject("SELECT writes FROM fencedlease_fence", Long.class))
                .isPositive();
    }

    @Test
    void missingTablesAreRefusedIfTheyMustNotBeCreated() {
        assertThatThrownBy(() -> fence(OPTIONS.withCreateTables(false)).prepare())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("createTables");
        here.prepare();
        fence(OPTIONS.withCreateTables(false)).prepare();
    }

    @Test
    void nodesThatCreateTheTablesAtOnceDoNotFailEachOther() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<Throwable>> nodes = Stream.generate(() -> fence(OPTIONS))
                    .limit(6)
                    .map(node -> inBackground(node::prepare))
                    .toList();
            for (CompletableFuture<Throwable> node : nodes) {
                assertThat(outcome(node)).isNull();
            }
            jdbc.execute("DROP TABLE fencedlease_fence");
            jdbc.execute("DROP TABLE fencedlease_intent");
        }
    }

    @Test
    void leasesDoNotTouchEachOthersMarks() throws Exception {
        var other = new LeaseName("Invoice-Closer");
        SqlFence otherFence = new SqlFence(other, "db", dataSource, OPTIONS);
        var theirs = new Tenure(other, new FencingToken(3), "n");
        here.raise(tenure(7));
        otherFence.raise(theirs);

        here.guard(tenure(7), write("ours"));
        otherFence.guard(theirs, write("theirs"));
        assertThat(written()).containsExactlyInAnyOrder("ours", "theirs");
    }

    @Test
    void theFenceGivesBackConnectionsAsItFoundThem() throws Exception {
        here.raise(tenure(7));
        try (var connection = dataSource.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            var only = new SingleConnectionDataSource(connection, true);
            String before = settings(new JdbcTemplate(only));
            new SqlFence(LEASE, "db", only, OPTIONS).raise(tenure(8));

            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(settings(new JdbcTemplate(only))).isEqualTo(before);
        }
    }

    /** What a raise changes for itself, as text. */
    abstract String settings(JdbcTemplate connection);

    private Throwable outcomeOf(ThrowingCallable work) {
        try {
            return outcome(inBackground(work));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void guarded(long token, String what) {
        guarded(token, write(what));
    }

    void guarded(long token, Callable<?> write) {
        try {
            here.guard(tenure(token), write);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void raisedElsewhere(long token) {
        assertThat(outcomeOf(() -> there.raise(tenure(token)))).isNull();
    }

    static Duration measure(ThrowingCallable work) {
        long before = System.nanoTime();
        try {
            work.call();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return Duration.ofNanos(System.nanoTime() - before);
    }
}
