package io.fencedlease.lease.consul;

import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A Consul as a child process. */
final class AnsweringProcess implements AnsweringConsul, AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final ConsulProcess consul = ConsulProcess.startDenyingByDefault();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ConsulTransport manager = as(consul.managementToken());

    private ConsulSettings settings(String token) {
        return ConsulSettings.builder()
                .address(consul.url().toString())
                .token(token)
                .build();
    }

    @Override
    public ConsulTransport manager() {
        return manager;
    }

    @Override
    public ConsulTransport as(String token) {
        ConsulTransport transport = new ConsulHttp(settings(token));
        open.add(transport);
        return transport;
    }

    @Override
    public LeaseBackend backend() {
        LeaseBackend backend = new ConsulBackend(settings(consul.managementToken()));
        open.add(backend);
        return backend;
    }

    @Override
    public String grant(SimulatedRights rights) {
        return consul.admin().createToken(rights.rules());
    }

    @Override
    public void deleteToken(String token) {
        consul.admin().deleteToken(token);
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
    public void freeze() {
        consul.freeze();
    }

    @Override
    public void thaw() {
        consul.thaw();
    }

    @Override
    public void restart() {
        consul.restart();
    }

    @Override
    public void restoredAfter(Runnable something) {
        byte[] before = consul.admin().snapshot();
        something.run();
        consul.admin().restore(before);
    }

    @Override
    public void close() {
        open.forEach(each -> {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        consul.close();
    }
}
