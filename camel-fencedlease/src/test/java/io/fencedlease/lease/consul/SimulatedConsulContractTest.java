package io.fencedlease.lease.consul;

import io.fencedlease.contract.LeaseBackendContract;
import io.fencedlease.lease.VirtualTime;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The real backend over the simulated Consul keeps the contract, as {@link ConsulContractIT} does over a real one. */
class SimulatedConsulContractTest extends LeaseBackendContract {

    private final VirtualTime time = new VirtualTime();
    private final SimulatedConsul consul = new SimulatedConsul(time, time, 1);
    private final LeaseBackend first = client("first");
    private final LeaseBackend second = client("second");

    private LeaseBackend client(String name) {
        return consul.client(name, new AtOnce(time), (client, request) -> Fate.PROMPT);
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
        consul.endSession(session);
    }

    @Override
    protected long nanos() {
        return time.nanos();
    }

    @Override
    protected <T> T until(Supplier<T> question, Predicate<T> good) {
        for (long start = time.nanos(); since(start).compareTo(expiryPatience()) < 0; ) {
            T answer = question.get();
            if (good.test(answer)) {
                return answer;
            }
            time.advance(Duration.ofMillis(100));
        }
        throw new AssertionError("not within " + expiryPatience() + " of virtual time");
    }

    @Override
    protected void closeClients() {
        first.close();
        second.close();
    }
}
