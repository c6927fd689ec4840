package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The shipped invoices and schema, in a database of the test's own. */
class BooksTest {

    private final DataSource database = new SingleConnectionDataSource("jdbc:h2:mem:", "demo", "", true);
    private final JdbcTemplate jdbc = new JdbcTemplate(database);

    @BeforeEach
    void load() {
        jdbc.execute("RUNSCRIPT FROM 'classpath:/schema.sql'");
    }

    @Test
    void theInvoicesFillBatchesOfFive() {
        Books books = new Ledger(database).books();

        assertThat(books).isEqualTo(new Books(500, 100, new BigDecimal("1196429.69"), List.of()));
        assertThat(jdbc.queryForList("SELECT DISTINCT COUNT(*) FROM invoices GROUP BY batch", Integer.class))
                .containsExactly(5);
    }

    @Test
    void openBatchesAreThoseThatTheLedgerLacks() {
        jdbc.update(
                "INSERT INTO ledger (batch, node, token, invoices, total) VALUES (1, 'A', 3, 5, 10.5), (2, 'B', 4, 5, 1)");

        assertThat(jdbc.queryForList("SELECT batch FROM open_batches ORDER BY batch", Integer.class))
                .containsExactlyElementsOf(IntStream.rangeClosed(3, 100).boxed().toList());
        assertThat(new Ledger(database).entries())
                .containsExactly(
                        new Entry(1, 1, "A", 3, new BigDecimal("10.50")),
                        new Entry(2, 2, "B", 4, new BigDecimal("1.00")));
    }

    @Test
    void theLedgerTakesABatchTwiceSoThatDamageCanBeSeen() {
        String insert = "INSERT INTO ledger (batch, node, token, invoices, total) VALUES (1, 'A', 3, 5, 10.5)";

        assertThat(jdbc.update(insert) + jdbc.update(insert)).isEqualTo(2);
    }
}
