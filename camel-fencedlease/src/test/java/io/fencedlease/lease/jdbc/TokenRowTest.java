package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.spi.BackendRefusedException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tokens come from one row that only grows, whatever happens to the rest of the tables. */
class TokenRowTest {

    private final DataSource database = JdbcH2ContractTest.inMemory();
    private final JdbcTemplate sql = new JdbcTemplate(database);

    // T56: redisson#6510
    @Test
    void aPurgedLeaseRowDoesNotRestartItsTokens() {
        try (Node node = new Node(database, "node")) {
            long before = node.token("n1");
            sql.update("DELETE FROM fencedlease_lease");

            assertThat(node.token("n2")).isGreaterThan(before);
        }
    }

    @Test
    void aLostTokenRowIsRefusedWhileRunning() {
        try (Node node = new Node(database, "node")) {
            node.token("n1");
            sql.update("DELETE FROM fencedlease_token");

            assertThatThrownBy(() -> node.acquire("n2"))
                    .isInstanceOf(BackendRefusedException.class)
                    .hasMessageContaining("fencedlease_token has lost its row");
        }
    }

    @Test
    void aTokenRowCreatedAnewBeginsAboveTheTokensOfTheLeases() {
        long before;
        try (Node node = new Node(database, "node")) {
            before = node.token("n1");
            node.release(before);
        }
        sql.update("DROP TABLE fencedlease_token");
        try (Node node = new Node(database, "node")) {
            assertThat(node.token("n2")).isGreaterThan(before);
        }
    }

    @Test
    void aTokenRowSetBackIsRefused() {
        try (Node node = new Node(database, "node")) {
            sql.update("UPDATE fencedlease_token SET token = 52");
            node.release(node.token("n1"));
            sql.update("UPDATE fencedlease_token SET token = 7");

            assertThatThrownBy(() -> node.acquire("n2"))
                    .isInstanceOf(BackendRefusedException.class)
                    .hasMessageContaining("lease 'invoice-closer' token 53")
                    .hasMessageContaining("it gave 8");
        }
    }

    @Test
    void tokensAreSixtyFourBitsWide() {
        try (Node node = new Node(database, "node")) {
            sql.update("UPDATE fencedlease_token SET token = ?", 1L << 53);

            assertThat(node.token("n1")).isEqualTo((1L << 53) + 1);
        }
    }
}
