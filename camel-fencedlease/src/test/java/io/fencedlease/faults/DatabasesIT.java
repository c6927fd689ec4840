package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The databases that tests get are what they claim to be. */
class DatabasesIT {

    @Test
    void postgresGivesEmptyDatabasesApart() throws SQLException {
        DataSource one = Postgres.freshDatabase();
        DataSource two = Postgres.freshDatabase();

        run(one, "CREATE TABLE t (n INT)");
        run(two, "CREATE TABLE t (n INT)");
    }

    @Test
    void h2KeepsWhatItAcknowledgedOverAKill() throws SQLException {
        try (H2Server h2 = H2Server.start()) {
            DataSource db = h2.database("kept");
            run(db, "CREATE TABLE t (n INT)");
            run(db, "INSERT INTO t VALUES (7)");
            h2.restart();

            assertThat(number(db)).isEqualTo(7);
        }
    }

    @Test
    void aFrozenH2AnswersNothingUntilItThaws() throws SQLException {
        try (H2Server h2 = H2Server.start()) {
            DataSource db = h2.database("frozen");
            run(db, "CREATE TABLE t (n INT)");
            run(db, "INSERT INTO t VALUES (7)");
            h2.freeze();
            CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> number(db));

            assertThatThrownBy(() -> answer.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            h2.thaw();
            assertThat(answer).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(7);
        }
    }

    private static void run(DataSource db, String sql) throws SQLException {
        try (Connection connection = db.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(DataSource db) {
        try (Connection connection = db.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT n FROM t")) {
            assertThat(result.next()).isTrue();
            return result.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
