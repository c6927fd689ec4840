package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.examples.failover.Event.Type;
import io.fencedlease.lease.Ticker;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What counts as stale: what becomes visible under a lower token once a higher one has begun. */
class LedgerWatchTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:watch;DB_CLOSE_DELAY=-1", "demo", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final Timeline timeline =
            new Timeline(Ticker.system(), new PrintStream(OutputStream.nullOutputStream(), true));
    private final LedgerWatch watch = new LedgerWatch(new Ledger(database), timeline);

    @BeforeEach
    void load() {
        jdbc.execute("DROP ALL OBJECTS");
        jdbc.execute("RUNSCRIPT FROM 'classpath:/schema.sql'");
    }

    @Test
    void whatWasVisibleWhenTheNextTenureBeganIsNotStale() {
        write(1, 5);

        watch.tenureBegan(6);

        assertThat(types()).containsExactly(Type.ACCEPTED);
    }

    @Test
    void aLowerTokenAfterwardsIsStaleAndToldOnce() {
        watch.tenureBegan(6);
        write(1, 5);
        write(2, 6);

        watch.look();
        watch.look();

        assertThat(types()).containsExactly(Type.STALE, Type.ACCEPTED);
    }

    @Test
    void aCommitThatComesLateIsStaleThoughItsEntryWasWrittenBefore() {
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(transaction -> {
            write(1, 5);
            // seen from outside, as another session sees it
            Thread other = new Thread(() -> watch.tenureBegan(6));
            other.start();
            try {
                other.join();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });

        watch.look();

        assertThat(types()).containsExactly(Type.STALE);
    }

    private void write(int batch, long token) {
        jdbc.update("INSERT INTO ledger (batch, node, token, invoices, total) VALUES (?, 'A', ?, 5, 1)", batch, token);
    }

    private List<Type> types() {
        return timeline.events().stream().map(Event::type).toList();
    }
}
