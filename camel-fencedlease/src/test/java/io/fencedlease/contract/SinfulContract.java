package io.fencedlease.contract;

import io.fencedlease.lease.spi.LeaseBackend;

/** The contract against a backend in memory that commits one sin. */
abstract class SinfulContract extends LeaseBackendContract {

    private final SinfulService service;
    private final LeaseBackend first;
    private final LeaseBackend second;

    SinfulContract(Sin sin) {
        service = new SinfulService(sin);
        first = new SinfulBackend(service);
        second = new SinfulBackend(service);
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
        service.destroy(session);
    }
}
