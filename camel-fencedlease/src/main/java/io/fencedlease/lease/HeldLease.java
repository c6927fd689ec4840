package io.fencedlease.lease;

import io.fencedlease.lease.LossReason.Kind;
import io.fencedlease.lease.Ticker.Tick;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One tenure. Whoever notices its end first, the loop or a worker that reads the clocks, ends it for everybody. */
final class HeldLease implements Lease {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

    /** Told on the thread that ended, closed or asked. */
    interface Owner {
        void ended(HeldLease lease);

        void closed(HeldLease lease);

        void confirm(HeldLease lease, CompletableFuture<Boolean> answer);
    }

    private final Tenure tenure;
    private final long revision;
    private final LiveSession session;
    private final Deadline evidence;
    private final Ticker ticker;
    private final Executor callbacks;
    private final Owner owner;
    private final AtomicReference<@Nullable LossReason> reason = new AtomicReference<>();
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    HeldLease(
            Tenure tenure,
            long revision,
            LiveSession session,
            Deadline evidence,
            Ticker ticker,
            Executor callbacks,
            Owner owner) {
        this.tenure = tenure;
        this.revision = revision;
        this.session = session;
        this.evidence = evidence;
        this.ticker = ticker;
        this.callbacks = callbacks;
        this.owner = owner;
    }

    @Override
    public Tenure tenure() {
        return tenure;
    }

    /** Of its entry, as long as nobody writes it. */
    long revision() {
        return revision;
    }

    LiveSession session() {
        return session;
    }

    @Override
    public void ensureHeld() {
        if (!stillHeld(ticker.now())) {
            throw new LeaseLostException(tenure, lossReason().orElseThrow());
        }
    }

    /** False ends the tenure as well. */
    boolean stillHeld(Tick now) {
        if (reason.get() == null) {
            if (session.deadline().passed(now)) {
                end(new LossReason(Kind.DEADLINE_PASSED, "the session was not renewed in time"));
            } else if (evidence.passed(now)) {
                end(new LossReason(Kind.DEADLINE_PASSED, "no read of the lease's entry succeeded in time"));
            }
        }
        return reason.get() == null;
    }

    /** Until the first of its two deadlines; any thread. */
    Duration left(Tick now) {
        Duration session = this.session.deadline().left(now);
        Duration proof = evidence.left(now);
        return session.compareTo(proof) < 0 ? session : proof;
    }

    Duration evidenceLeft(Tick now) {
        return evidence.left(now);
    }

    /** What a consistent read, asked for at this moment, showed: proof, or the end. */
    void judge(Entry entry, Tick asked) {
        if (!entry.isOurs()) {
            String now = entry.holder().isEmpty() ? "the lease's entry is free" : "held by " + entry.holder();
            end(new LossReason(Kind.LEASE_TAKEN, now));
        } else if (entry.revision() != revision) {
            String moved = "somebody wrote the lease's entry: revision " + entry.revision() + ", was " + revision;
            end(new LossReason(Kind.ENTRY_MOVED, moved));
        } else if (stillHeld(ticker.now())) {
            evidence.extend(asked);
        }
    }

    @Override
    public Optional<LossReason> lossReason() {
        return Optional.ofNullable(reason.get());
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Boolean> confirm() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (reason.get() == null) {
            owner.confirm(this, answer);
        } else {
            answer.complete(false); // also when the loop is gone
        }
        return answer.minimalCompletionStage();
    }

    @Override
    public void standDown(String why) {
        end(new LossReason(Kind.STOOD_DOWN, why));
    }

    boolean stoodDown() {
        return lossReason().filter(why -> why.kind() == Kind.STOOD_DOWN).isPresent();
    }

    @Override
    public void close() {
        end(new LossReason(Kind.CLOSED, "closed"));
        signal(); // the thread that ended it may be paused before it told
        owner.closed(this);
    }

    void end(LossReason why) {
        if (reason.compareAndSet(null, why)) {
            signal();
            owner.ended(this);
        }
    }

    /** One line for people: after everybody was told, also of the session's other leases. */
    void logEnd() {
        LossReason why = lossReason().orElseThrow();
        switch (why.kind()) {
            case CLOSED -> LOG.info("{} closed", tenure);
            case STOOD_DOWN -> LOG.info("{} stands down: {}", tenure, why.detail());
            default -> LOG.warn("{} lost: {}", tenure, why);
        }
    }

    private void signal() {
        callbacks.execute(() -> lost.complete(lossReason().orElseThrow()));
    }

    @Override
    public String toString() {
        return tenure + lossReason().map(r -> " lost: " + r).orElse(" held");
    }
}
