package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.contract.Answers;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Release;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** Clients of a Consul, and their sessions, closed after each test. */
abstract class ConsulBench {

    static final Duration ATTEMPT_LIMIT = Duration.ofSeconds(2);

    final LeaseName lease = new LeaseName("it-" + UUID.randomUUID());
    private final List<LeaseBackend> clients = new ArrayList<>();

    @AfterEach
    void closeClients() {
        clients.forEach(LeaseBackend::close);
    }

    static LeaseSettings times() {
        return LeaseSettings.builder("*")
                .ttl(Duration.ofSeconds(60))
                .renewalInterval(Duration.ofSeconds(5))
                .attemptLimit(ATTEMPT_LIMIT)
                .lockDelay(Duration.ofSeconds(13))
                .build();
    }

    ConsulBackend client(ConsulSettings settings) {
        ConsulBackend client = new ConsulBackend(settings);
        clients.add(client);
        return client;
    }

    ConsulBackend client(URI... agents) {
        ConsulSettings.Builder settings = ConsulSettings.builder();
        for (URI agent : agents) {
            settings.address(agent.toString());
        }
        return client(settings.build());
    }

    LeaseSession session(URI... agents) {
        return session(client(agents));
    }

    static LeaseSession session(LeaseBackend client) {
        return Answers.of(() -> client.openSession(times(), "some-node"));
    }

    String leaseKey() {
        return "fencedlease/leases/" + lease;
    }

    Acquisition acquire(LeaseSession session, String nonce) {
        return Answers.of(() -> session.acquire(lease, nonce));
    }

    Acquired acquired(LeaseSession session, String nonce) {
        Acquisition answer = acquire(session, nonce);
        assertThat(answer).isInstanceOf(Acquired.class);
        return (Acquired) answer;
    }

    Holding holding(LeaseSession session) {
        return Answers.of(() -> session.read(List.of(lease))).get(lease);
    }

    Release release(LeaseSession session, Acquired tenure) {
        return Answers.of(() -> session.release(lease, tenure.revision()));
    }
}
