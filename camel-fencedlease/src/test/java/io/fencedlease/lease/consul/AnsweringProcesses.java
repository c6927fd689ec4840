package io.fencedlease.lease.consul;

import static org.awaitility.Awaitility.await;

import io.fencedlease.lease.spi.LeaseBackend;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Real servers: real time passes. */
abstract class AnsweringProcesses implements AnsweringConsul, AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final List<ConsulTransport> transports = new ArrayList<>();
    private final List<LeaseBackend> backends = new ArrayList<>();

    final ConsulTransport http(URI agent, String token) {
        ConsulTransport transport = new ConsulHttp(settings(agent, token));
        transports.add(transport);
        return transport;
    }

    final LeaseBackend backend(URI agent, String token) {
        LeaseBackend backend = new ConsulBackend(settings(agent, token));
        backends.add(backend);
        return backend;
    }

    private static ConsulSettings settings(URI agent, String token) {
        return ConsulSettings.builder().address(agent.toString()).token(token).build();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void until(String what, Supplier<Boolean> condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition::get);
    }

    @Override
    public void aWhile() {
        await().pollDelay(A_WHILE).atMost(PATIENCE).until(() -> true);
    }

    @Override
    public void close() {
        backends.forEach(LeaseBackend::close);
        transports.forEach(ConsulTransport::close);
    }
}
