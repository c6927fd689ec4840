package io.fencedlease.lease.jdbc;

import static io.fencedlease.lease.jdbc.Node.LEASE;
import static io.fencedlease.lease.jdbc.Node.TTL_30S;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.faults.H2Server;
import io.fencedlease.faults.Postgres;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is paused anywhere inside an acquisition holds no lock, and its late statements change nothing. */
@Timeout(120)
class PausedClientIT {

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE fencedlease_token", "UPDATE fencedlease_lease", "UPDATE fencedlease_session"})
    void onPostgresAPausedClientBlocksNobody(String statement) throws InterruptedException {
        pausedClientBlocksNobody(Postgres.freshDatabase(), statement);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE fencedlease_token", "UPDATE fencedlease_lease", "UPDATE fencedlease_session"})
    void onH2APausedClientBlocksNobody(String statement) throws InterruptedException {
        try (H2Server h2 = H2Server.start()) {
            pausedClientBlocksNobody(h2.database("paused"), statement);
        }
    }

    static void pausedClientBlocksNobody(DataSource database, String statement) throws InterruptedException {
        PausingDataSource pausing = new PausingDataSource(database, statement);
        try (Node paused = new Node(pausing, "paused");
                Node other = new Node(database, "other")) {
            pausing.arm();
            CompletableFuture<Acquisition> acquiring =
                    paused.session.acquire(LEASE, "p1").toCompletableFuture();
            pausing.awaitPause();

            other.look();
            other.clock.advance(TTL_30S.ttl());
            other.look();
            other.clock.advance(TTL_30S.lockDelay());
            Acquisition.Acquired taken = (Acquisition.Acquired) other.acquire("o1");
            pausing.resume();

            assertThat(acquiring
                            .handle((answer, failure) -> answer instanceof Acquisition.Acquired)
                            .join())
                    .isFalse();
            assertThat(other.look()).isEqualTo(new Holding.Held(other.session.id(), taken.revision(), "o1", "other"));
        }
    }
}
