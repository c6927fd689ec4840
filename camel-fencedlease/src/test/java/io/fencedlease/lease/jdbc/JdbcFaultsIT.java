package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.H2Server;
import io.fencedlease.faults.Postgres;
import io.fencedlease.faults.TcpProxy;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Renewal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases that hang, freeze and die. */
class JdbcFaultsIT {

    private static final LeaseSettings IMPATIENT = LeaseSettings.builder("*")
            .attemptLimit(Duration.ofSeconds(1))
            .lockDelay(Duration.ofSeconds(20))
            .build();

    /** Well above the attempt limit, for a loaded machine; far below what a driver waits by itself. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private final PGSimpleDataSource postgres = Postgres.freshDatabase();

    @Test
    void aServerThatAcceptsAndNeverAnswersEndsEveryCallWithinTheAttemptLimit() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                JdbcBackend backend = new JdbcBackend(
                        Postgres.through(mute.getLocalPort(), postgres), JdbcSettings.defaults(), new FakeTicker())) {
            long start = System.nanoTime();
            List<? extends CompletionStage<?>> calls = IntStream.range(0, 12)
                    .mapToObj(i -> backend.openSession(IMPATIENT, "node"))
                    .toList();

            calls.forEach(call ->
                    assertThatThrownBy(() -> Answers.once(call)).isInstanceOf(BackendUnavailableException.class));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
        }
    }

    @Test
    void aHangingNetworkCostsRenewalsButNotTheSessionAndWorksAgainOnceHealed() throws IOException {
        try (TcpProxy network = new TcpProxy(Postgres.port());
                Node node = new Node(Postgres.through(network.port(), postgres), "node", IMPATIENT)) {
            long token = node.token("n1");
            network.hang();
            for (int i = 0; i < 6; i++) {
                assertThatThrownBy(() -> Answers.once(node.session.renew()))
                        .isInstanceOf(BackendUnavailableException.class);
            }
            network.heal();

            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> node.renew()
                    .equals(new Renewal.Renewed()));
            assertThat(node.token("n1")).isEqualTo(token);
        }
    }

    @Test
    void aCutNetworkIsUnavailableAndWorksAgainOnceHealed() throws IOException {
        try (TcpProxy network = new TcpProxy(Postgres.port());
                Node node = new Node(Postgres.through(network.port(), postgres), "node", IMPATIENT)) {
            network.cut();
            assertThatThrownBy(() -> Answers.once(node.session.renew()))
                    .isInstanceOf(BackendUnavailableException.class);
            network.heal();

            assertThat(node.renew()).isEqualTo(new Renewal.Renewed());
        }
    }

    @Test
    void aFrozenH2EndsCallsInTimeAndServesAgainOnceThawed() {
        try (H2Server h2 = H2Server.start();
                Node node = new Node(h2.database("frozen"), "node", IMPATIENT)) {
            long token = node.token("n1");
            h2.freeze();
            for (int i = 0; i < 6; i++) {
                assertThatThrownBy(() -> Answers.once(node.session.renew()))
                        .isInstanceOf(BackendUnavailableException.class);
            }
            h2.thaw();

            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> node.renew()
                    .equals(new Renewal.Renewed()));
            assertThat(node.token("n1")).isEqualTo(token);
        }
    }

    @Test
    void aKilledH2HasForgottenNothingItAcknowledged() {
        try (H2Server h2 = H2Server.start();
                Node node = new Node(h2.database("killed"), "node")) {
            for (int i = 0; i < 5; i++) {
                long token = node.token("n" + i);
                h2.restart();

                assertThat(node.renew()).isEqualTo(new Renewal.Renewed());
                assertThat(node.token("n" + i)).isEqualTo(token);
                node.release(token);
                assertThat(node.token("again" + i)).isGreaterThan(token);
            }
        }
    }

    @Test
    void aRoleWithoutRightsIsRefused() {
        DataSource poor = poorRole();
        try (JdbcBackend backend = new JdbcBackend(poor, JdbcSettings.defaults(), new FakeTicker())) {
            assertThatThrownBy(() -> Answers.once(backend.openSession(IMPATIENT, "node")))
                    .isInstanceOf(BackendRefusedException.class)
                    .hasMessageContaining("postgresql.sql")
                    .hasMessageNotContaining("secret-of-poor");
        }
    }

    private DataSource poorRole() {
        Postgres.execute("CREATE ROLE poor_" + postgres.getDatabaseName() + " LOGIN PASSWORD 'secret-of-poor'");
        PGSimpleDataSource poor = Postgres.through(Postgres.port(), postgres);
        poor.setUser("poor_" + postgres.getDatabaseName());
        poor.setPassword("secret-of-poor");
        return poor;
    }
}
