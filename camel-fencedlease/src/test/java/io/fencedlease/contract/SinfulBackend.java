package io.fencedlease.contract;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A client of the {@link SinfulService}. */
record SinfulBackend(SinfulService service) implements LeaseBackend {

    @Override
    public String describe() {
        return "memory";
    }

    @Override
    public CompletionStage<LeaseSession> openSession(LeaseSettings settings, String holder) {
        return answer(() -> new Session(service, service.open(settings), holder));
    }

    @Override
    public CompletionStage<Optional<Tenure>> published(LeaseName lease, Duration limit) {
        return answer(() -> service.published(lease));
    }

    @Override
    public CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit) {
        return answer(() -> service.openGeneration(lease, highest));
    }

    @Override
    public void close() {}

    private static <T> CompletionStage<T> answer(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private record Session(SinfulService service, String id, String holder) implements LeaseSession {

        @Override
        public CompletionStage<Renewal> renew() {
            return answer(() -> service.renew(id));
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseName lease, String nonce) {
            return answer(() -> service.acquire(id, lease, nonce, holder));
        }

        @Override
        public CompletionStage<Publication> publish(Tenure tenure, long revision) {
            return answer(() -> service.publish(id, tenure, revision));
        }

        @Override
        public CompletionStage<Release> release(LeaseName lease, long revision) {
            return answer(() -> service.release(id, lease, revision));
        }

        @Override
        public CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
            return answer(() -> service.read(leases));
        }

        @Override
        public CompletionStage<Void> destroy() {
            return answer(() -> {
                service.destroy(id);
                return null;
            });
        }
    }
}
