package io.fencedlease.lease;

import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A backend whose calls can be made to fail, to hang, to be done without an answer, or to be done later. */
final class FaultyBackend implements LeaseBackend {

    enum Call {
        OPEN,
        RENEW,
        READ,
        ACQUIRE,
        PUBLISH,
        GENERATION,
        RELEASE,
        DESTROY
    }

    /** What happens to a call instead of its answer. */
    interface Fault {
        <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> call);
    }

    /** Not done, no answer ever. */
    static final Fault LOST = new Fault() {
        @Override
        public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> call) {
            return new CompletableFuture<>();
        }
    };

    /** Done, but the answer never comes. */
    static final Fault DONE_SILENTLY = new Fault() {
        @Override
        public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> call) {
            call.get();
            return new CompletableFuture<>();
        }
    };

    private final LeaseBackend backend;
    private final Map<Call, Fault> faults = new EnumMap<>(Call.class);
    Optional<Duration> poll = Optional.empty();
    private final List<Runnable> parked = new ArrayList<>();
    final Map<Call, Integer> calls = new EnumMap<>(Call.class);

    FaultyBackend(LeaseBackend backend) {
        this.backend = backend;
    }

    void fault(Call call, Fault fault) {
        faults.put(call, fault);
    }

    void fail(Call call, Supplier<? extends Throwable> failure) {
        fault(call, new Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> ignored) {
                return CompletableFuture.failedFuture(failure.get());
            }
        });
    }

    void explode(Call call, Supplier<? extends Throwable> failure) {
        fault(call, new Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> ignored) {
                throw sneaky(failure.get());
            }
        });
    }

    /** Answers late by so much. */
    void slow(Call call, Duration by, VirtualTime time) {
        fault(call, new Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> real) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                time.after(by, () -> real.get().thenAccept(answer::complete));
                return answer;
            }
        });
    }

    /** Done, but answered with this failure. */
    void failAfterwards(Call call, Supplier<? extends Throwable> failure) {
        fault(call, new Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> real) {
                real.get();
                return CompletableFuture.failedFuture(failure.get());
            }
        });
    }

    /** Keeps calls unanswered and not done until {@link #doParked()}, as a frozen agent does. */
    void park(Call call) {
        fault(call, new Fault() {
            @Override
            public <T> CompletionStage<T> apply(Supplier<CompletionStage<T>> later) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                parked.add(() -> later.get().whenComplete((value, error) -> {
                    if (error == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(error);
                    }
                }));
                return answer;
            }
        });
    }

    void doParked() {
        parked.forEach(Runnable::run);
        parked.clear();
    }

    void heal() {
        faults.clear();
    }

    @Override
    public String describe() {
        return "faulty " + backend.describe();
    }

    @Override
    public CompletionStage<LeaseSession> openSession(LeaseSettings settings, String holder) {
        return call(Call.OPEN, () -> backend.openSession(settings, holder).thenApply(s -> new Session(s)));
    }

    @Override
    public CompletionStage<Optional<Tenure>> published(LeaseName lease, Duration limit) {
        return backend.published(lease, limit);
    }

    @Override
    public CompletionStage<Long> openGeneration(LeaseName lease, long highest, Duration attemptLimit) {
        return call(Call.GENERATION, () -> backend.openGeneration(lease, highest, attemptLimit));
    }

    @Override
    public Optional<Duration> pollInterval(LeaseSettings settings) {
        return poll;
    }

    @Override
    public Duration failoverBound(LeaseSettings settings) {
        return backend.failoverBound(settings);
    }

    @Override
    public void close() {
        backend.close();
    }

    private <T> CompletionStage<T> call(Call call, Supplier<CompletionStage<T>> real) {
        calls.merge(call, 1, Integer::sum);
        Fault fault = faults.get(call);
        return fault == null ? real.get() : fault.apply(real);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable t) throws X {
        throw (X) t;
    }

    private final class Session implements LeaseSession {

        private final LeaseSession session;

        Session(LeaseSession session) {
            this.session = session;
        }

        @Override
        public String id() {
            return session.id();
        }

        @Override
        public CompletionStage<Renewal> renew() {
            return call(Call.RENEW, session::renew);
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseName lease, String nonce) {
            return call(Call.ACQUIRE, () -> session.acquire(lease, nonce));
        }

        @Override
        public CompletionStage<Publication> publish(Tenure tenure, long revision) {
            return call(Call.PUBLISH, () -> session.publish(tenure, revision));
        }

        @Override
        public CompletionStage<Release> release(LeaseName lease, long revision) {
            return call(Call.RELEASE, () -> session.release(lease, revision));
        }

        @Override
        public CompletionStage<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
            return call(Call.READ, () -> session.read(leases));
        }

        @Override
        public CompletionStage<Void> destroy() {
            return call(Call.DESTROY, session::destroy);
        }
    }
}
