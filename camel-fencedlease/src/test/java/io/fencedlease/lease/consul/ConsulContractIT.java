package io.fencedlease.lease.consul;

import io.fencedlease.contract.LeaseBackendContract;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.spi.LeaseBackend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@NeedsConsul
class ConsulContractIT extends LeaseBackendContract {

    private static ConsulProcess consul;
    private static LeaseBackend first;
    private static LeaseBackend second;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
        first = new ConsulBackend(
                ConsulSettings.builder().address(consul.url().toString()).build());
        second = new ConsulBackend(
                ConsulSettings.builder().address(consul.url().toString()).build());
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        consul.close();
    }

    @Override
    protected LeaseBackend backend() {
        return first;
    }

    @Override
    protected LeaseBackend secondClient() {
        return second;
    }

    @Override
    protected void endFromOutside(String session) {
        consul.admin().destroySession(session);
    }
}
