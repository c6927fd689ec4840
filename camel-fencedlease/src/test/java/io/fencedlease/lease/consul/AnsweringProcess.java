package io.fencedlease.lease.consul;

import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.lease.spi.LeaseBackend;

/** One Consul as a child process. */
final class AnsweringProcess extends AnsweringProcesses {

    private final ConsulProcess consul = ConsulProcess.startDenyingByDefault();
    private final ConsulTransport manager = as(consul.managementToken());

    @Override
    public ConsulTransport manager() {
        return manager;
    }

    @Override
    public ConsulTransport as(String token) {
        return http(consul.url(), token);
    }

    @Override
    public LeaseBackend backend() {
        return backend(consul.url(), consul.managementToken());
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
        super.close();
        consul.close();
    }
}
