package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** The pause points stand where they are said to stand, and only the armed one holds anybody up. */
class PausableDataSourceTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:pausable;DB_CLOSE_DELAY=-1", "demo", "");
    private final JdbcTemplate outside = new JdbcTemplate(database);
    private final List<PausePoint> reached = new CopyOnWriteArrayList<>();
    private final PausePoints points = new PausePoints(reached::add);
    private final PausableDataSource source = new PausableDataSource(database, points);

    PausableDataSourceTest() {
        outside.execute("DROP TABLE IF EXISTS written");
        outside.execute("CREATE TABLE written (id INT PRIMARY KEY)");
    }

    @Test
    void nobodyWaitsUnlessAPointIsArmed() {
        write(1);

        assertThat(written()).containsExactly(1);
        assertThat(reached).isEmpty();
    }

    @Test
    void beforeTheWriteNothingWasSentYet() throws Exception {
        points.arm(PausePoint.BEFORE_WRITE);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(1));
        await().until(() -> reached.equals(List.of(PausePoint.BEFORE_WRITE)));

        // a row of the same key would wait for the writer, had it sent anything
        outside.update("INSERT INTO written VALUES (1)");
        points.goOn();

        assertThat(writing.handle((done, failure) -> failure.getCause()).get())
                .isInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void aTransactionThatHasSentSomethingIsNotPausedBeforeItsNextStatement() {
        new TransactionTemplate(new DataSourceTransactionManager(source)).executeWithoutResult(transaction -> {
            JdbcTemplate jdbc = new JdbcTemplate(source);
            jdbc.update("INSERT INTO written VALUES (?)", 1);
            points.arm(PausePoint.BEFORE_WRITE);
            jdbc.update("INSERT INTO written VALUES (?)", 2);
        });

        assertThat(written()).containsExactly(1, 2);
        assertThat(reached).isEmpty();
    }

    @Test
    void beforeTheCommitTheStatementWasExecutedAndNobodySeesItYet() {
        points.arm(PausePoint.BEFORE_COMMIT);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(1));
        await().until(() -> reached.equals(List.of(PausePoint.BEFORE_COMMIT)));

        assertThat(written()).isEmpty();
        points.goOn();
        writing.join();

        assertThat(written()).containsExactly(1);
    }

    @Test
    void anArmedPointHoldsOneWriterOnce() {
        points.arm(PausePoint.BEFORE_COMMIT);
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> write(1));
        await().until(() -> !reached.isEmpty());

        write(2);

        assertThat(written()).containsExactly(2);
        points.goOn();
        first.join();
    }

    @Test
    void readingOutsideATransactionNeverPauses() throws SQLException {
        points.arm(PausePoint.BEFORE_WRITE);

        try (Connection connection = source.getConnection()) {
            connection.prepareStatement("SELECT 1").close();
        }

        assertThat(reached).isEmpty();
    }

    private void write(int id) {
        new TransactionTemplate(new DataSourceTransactionManager(source))
                .executeWithoutResult(
                        transaction -> new JdbcTemplate(source).update("INSERT INTO written VALUES (?)", id));
    }

    private List<Integer> written() {
        return outside.queryForList("SELECT id FROM written", Integer.class);
    }
}
