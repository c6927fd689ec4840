package io.fencedlease.fence.consul;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulMark;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.consul.KvStanding;
import io.fencedlease.lease.consul.KvTransactions;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A fence around keys of the Consul that also has the lease. Its mark is the lease's own mark there, written with each tenure
 * before any fence is raised; a guarded write is one transaction that checks the session on the lock and the index of the mark.
 * Thread-safe.
 *
 * <p><em>Does not guarantee</em> anything after a snapshot was restored into the cluster, which revives old sessions, locks
 * and marks, until the next tenure.
 */
public final class ConsulFence implements Fence {

    /** Of the guarded write that runs on this thread. */
    private static final ThreadLocal<@Nullable List<KvOperation>> STAGED = new ThreadLocal<>();

    private final LeaseName lease;
    final ConsulBackend backend;
    final KvTransactions consul;
    private volatile @Nullable Raised raised;

    private record Raised(Tenure tenure, KvStanding standing) {}

    /**
     * @param limit how long one call to Consul may take
     * @throws SettingRefusedException if the lease is not kept in Consul
     */
    public ConsulFence(LeaseName lease, LeaseBackend backend, Duration limit) {
        this.lease = lease;
        this.backend = consul(lease, backend);
        this.consul = this.backend.transactions(limit);
    }

    private static ConsulBackend consul(LeaseName lease, LeaseBackend backend) {
        if (backend instanceof ConsulBackend consul) {
            return consul;
        }
        throw new SettingRefusedException(
                lease.value(),
                "backend",
                backend.describe(),
                "consul: keys in Consul can only be fenced by a lease that is kept in the same Consul");
    }

    @Override
    public String resource() {
        return "Consul's keys";
    }

    /** Finds the tenure published, and its lock held: the lease does both before it raises fences. */
    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        tenure.requireLease(lease, resource());
        KvStanding now = standing();
        Optional<ConsulMark> mark = now.mark();
        if (mark.isPresent()
                && mark.get().token() >= tenure.token().value()
                && !mark.get().isOf(tenure)) {
            throw new RaiseRefusedException(resource(), tenure, mark.get().token());
        }
        if (!now.isOf(tenure)) {
            throw new FenceUnavailableException(
                    resource() + ": " + tenure + " has not the lock, or is not published in the lease's mark");
        }
        raised = new Raised(tenure, now);
    }

    private KvStanding standing() {
        try {
            return await(consul.standing(lease));
        } catch (BackendUnavailableException e) {
            throw new FenceUnavailableException(resource() + ": how lease '" + lease + "' stands is unknown", e);
        }
    }

    /**
     * Collects what {@link #stage} is given on this thread and does all of it in one transaction after the write has returned.
     *
     * @throws BackendUnavailableException if no answer came: it may have been written, or may yet be
     */
    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        tenure.requireLease(lease, resource());
        if (STAGED.get() != null) {
            throw new IllegalStateException(resource() + ": a guarded write inside of a guarded write");
        }
        List<KvOperation> staged = new ArrayList<>();
        STAGED.set(staged);
        T result;
        try {
            result = write.call();
        } finally {
            STAGED.remove();
        }
        if (!staged.isEmpty() && !commit(tenure, staged)) {
            throw new IllegalStateException(resource() + ": a key was changed by somebody else; nothing was written");
        }
        return result;
    }

    /** A part of the guarded write on this thread. */
    public static void stage(KvOperation operation) {
        List<KvOperation> staged = STAGED.get();
        if (staged == null) {
            throw new IllegalStateException("not in a guarded write");
        }
        staged.add(operation);
    }

    /**
     * Does all of it or nothing, in one transaction.
     *
     * @return false if a condition of an operation did not hold; nothing was written
     * @throws FencedOutException if the lock or the mark is not this tenure's; nothing was written
     * @throws BackendUnavailableException if no answer came: it may have been written, or may yet be
     */
    public boolean commit(Tenure tenure, List<KvOperation> operations) {
        tenure.requireLease(lease, resource());
        return switch (await(consul.commit(standingOf(tenure), operations))) {
            case WRITTEN -> true;
            case CONDITION_FAILED -> false;
            case FENCED_OUT -> throw fencedOut(tenure);
        };
    }

    KvTransactions.Look look(Tenure tenure, String key) {
        tenure.requireLease(lease, resource());
        KvTransactions.Look look = await(consul.look(standingOf(tenure), key));
        if (!look.passed()) {
            throw fencedOut(tenure);
        }
        return look;
    }

    private KvStanding standingOf(Tenure tenure) {
        Raised now = raised;
        if (now == null || !now.tenure().equals(tenure)) {
            throw fencedOut(tenure);
        }
        return now.standing();
    }

    /** Says what the mark is by now; if that is unknown, that it is. */
    private FencedOutException fencedOut(Tenure tenure) {
        Optional<ConsulMark> mark;
        try {
            mark = await(consul.standing(lease)).mark();
        } catch (BackendUnavailableException | BackendRefusedException unknown) {
            String why = "or another; it cannot be read now: " + unknown.getMessage();
            return new FencedOutException(resource(), tenure, 0, why);
        }
        long found = mark.map(ConsulMark::token).orElse(0L);
        return mark.filter(own -> own.isOf(tenure)).isPresent()
                ? new FencedOutException(
                        resource(),
                        tenure,
                        found,
                        "but its session has not the lock any more, or the mark was written again")
                : new FencedOutException(resource(), tenure, found);
    }

    static <T> T await(CompletionStage<T> call) {
        try {
            return call.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("interrupted while Consul was asked", e);
        }
    }
}
