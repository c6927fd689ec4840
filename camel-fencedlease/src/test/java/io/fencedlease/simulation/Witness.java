package io.fencedlease.simulation;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.simulation.History.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Stands between the loop and a backend and writes down which proofs the loop was given, by the node's own clocks. */
record Witness(LeaseBackend backend, SimProcess process, World world, Map<String, String> owners)
        implements LeaseBackend {

    private static final Tenure NO_TENURE = new Tenure(new LeaseName("none"), new FencingToken(1), "");

    @Override
    public String describe() {
        return backend.describe();
    }

    @Override
    public CompletionStage<LeaseSession> openSession(LeaseSettings settings, String holder) {
        long from = world.now();
        Tick asked = process.machine.clocks();
        return backend.openSession(settings, holder).thenApply(session -> {
            owners.put(session.id(), process.node());
            proved(Kind.SESSION_PROVED, from, asked, NO_TENURE, session.id());
            return new Witnessed(session);
        });
    }

    @Override
    public CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit) {
        return backend.openGeneration(lease, highest, attemptLimit);
    }

    @Override
    public Optional<Duration> pollInterval(LeaseSettings settings) {
        return backend.pollInterval(settings);
    }

    @Override
    public Duration failoverBound(LeaseSettings settings) {
        return backend.failoverBound(settings);
    }

    @Override
    public void close() {
        backend.close();
    }

    private void proved(Kind kind, long from, Tick asked, Tenure tenure, String session) {
        world.history.add(from, world.now(), kind, process.node(), tenure, session, asked);
    }

    private final class Witnessed implements LeaseSession {

        private record Own(LeaseName lease, long revision) {}

        private final LeaseSession session;
        private final Map<Own, Tenure> own = new HashMap<>();

        Witnessed(LeaseSession session) {
            this.session = session;
        }

        @Override
        public String id() {
            return session.id();
        }

        @Override
        public CompletionStage<Renewal> renew() {
            long from = world.now();
            Tick asked = process.machine.clocks();
            return session.renew().thenApply(renewal -> {
                if (renewal instanceof Renewal.Renewed) {
                    proved(Kind.SESSION_PROVED, from, asked, NO_TENURE, id());
                }
                return renewal;
            });
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseName lease, String nonce) {
            long from = world.now();
            Tick asked = process.machine.clocks();
            return session.acquire(lease, nonce).thenApply(answer -> {
                if (answer instanceof Acquisition.Acquired acquired) {
                    Tenure tenure = new Tenure(lease, acquired.token(), nonce);
                    own.put(new Own(lease, acquired.revision()), tenure);
                    proved(Kind.LEASE_PROVED, from, asked, tenure, id());
                }
                return answer;
            });
        }

        @Override
        public CompletionStage<Publication> publish(Tenure tenure, long revision) {
            return session.publish(tenure, revision);
        }

        @Override
        public CompletionStage<Release> release(LeaseName lease, long revision) {
            return session.release(lease, revision);
        }

        @Override
        public CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
            long from = world.now();
            Tick asked = process.machine.clocks();
            return session.read(leases).thenApply(holdings -> {
                holdings.forEach((lease, holding) -> {
                    if (holding instanceof Holding.Held held && held.session().equals(id())) {
                        Optional.ofNullable(own.get(new Own(lease, held.revision())))
                                .ifPresent(tenure -> proved(Kind.LEASE_PROVED, from, asked, tenure, id()));
                    }
                });
                return holdings;
            });
        }

        @Override
        public CompletionStage<Void> destroy() {
            return session.destroy();
        }

        @Override
        public List<Watch> watches() {
            return session.watches();
        }
    }
}
