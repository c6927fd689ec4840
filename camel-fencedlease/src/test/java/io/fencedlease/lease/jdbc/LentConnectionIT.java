package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.Postgres;
import io.fencedlease.lease.LeaseName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A pooled connection is given back as it was, or broken. */
class LentConnectionIT {

    @Test
    void aConnectionIsGivenBackAsItWas() throws SQLException {
        try (Connection pooled = Postgres.freshDatabase().getConnection()) {
            pooled.setAutoCommit(false);
            pooled.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            pooled.setNetworkTimeout(Runnable::run, 54_321);

            try (Node node = new Node(new SingleConnectionDataSource(pooled, true), "node")) {
                node.token("n1");
            }

            assertThat(pooled.getAutoCommit()).isFalse();
            assertThat(pooled.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(pooled.getNetworkTimeout()).isEqualTo(54_321);
        }
    }

    @Test
    void aConnectionIsBrokenAfterAFailure() throws SQLException {
        try (Connection pooled = Postgres.freshDatabase().getConnection()) {
            SingleConnectionDataSource pool = new SingleConnectionDataSource(pooled, true);
            try (Node node = new Node(pool, "node")) {
                new JdbcTemplate(pool).execute("DROP TABLE fencedlease_lease");
                assertThatThrownBy(() -> Answers.once(node.session.read(List.of(new LeaseName("any")))))
                        .hasMessageContaining("fencedlease_lease");
            }

            assertThat(pooled.isClosed()).isTrue();
        }
    }
}
