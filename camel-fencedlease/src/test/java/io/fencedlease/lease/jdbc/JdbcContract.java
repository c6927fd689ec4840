package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.contract.Answers;
import io.fencedlease.contract.LeaseBackendContract;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The contract in a database; a subclass names it. */
abstract class JdbcContract extends LeaseBackendContract {

    private final DataSource database;
    private final LeaseBackend first;
    private final LeaseBackend second;

    JdbcContract(DataSource database) {
        this.database = database;
        first = new JdbcBackend(database, JdbcSettings.defaults(), Ticker.system());
        second = new JdbcBackend(database, JdbcSettings.defaults(), Ticker.system());
    }

    @Override
    protected LeaseBackend backend() {
        return first;
    }

    @Override
    protected LeaseBackend secondClient() {
        return second;
    }

    @Override
    protected void endFromOutside(String session) {
        new JdbcTemplate(database).update("DELETE FROM fencedlease_session WHERE id = ?", session);
    }

    @Test
    void nodesThatCreateTheTablesAtOnceDoNotFailEachOther() {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        for (int round = 0; round < 10; round++) {
            List.of("session", "lease", "token")
                    .forEach(table -> jdbc.execute("DROP TABLE IF EXISTS fencedlease_" + table));
            List<CompletableFuture<Void>> nodes = Stream.generate(() -> CompletableFuture.runAsync(this::openAndClose))
                    .limit(6)
                    .toList();
            nodes.forEach(node -> assertThat(node).succeedsWithin(Duration.ofSeconds(60)));
        }
    }

    private void openAndClose() {
        try (LeaseBackend node = new JdbcBackend(database, JdbcSettings.defaults(), Ticker.system())) {
            Answers.once(node.openSession(lasting(), "node"));
        }
    }

    @Override
    protected void closeClients() {
        first.close();
        second.close();
    }
}
