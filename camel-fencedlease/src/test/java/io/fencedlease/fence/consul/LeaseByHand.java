package io.fencedlease.fence.consul;

import io.fencedlease.contract.Answers;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Holds a lease in a real Consul for whatever tenure a test wants, tokens included: locks, publishes, raises, as the loop
 * does. Two sessions take turns, each for two tenures: a tenure may follow another one of its own session.
 */
final class LeaseByHand implements AutoCloseable {

    final ConsulBackend backend;
    private final List<LeaseSession> sessions;
    private @Nullable Held held;
    private int tenures;

    record Held(Tenure tenure, LeaseSession session, long revision) {}

    LeaseByHand(URI consul) {
        this(consul, "");
    }

    /** @param token of the ACLs */
    LeaseByHand(URI consul, String token) {
        backend = new ConsulBackend(ConsulSettings.builder()
                .address(consul.toString())
                .keyPrefix("fl-" + UUID.randomUUID())
                .token(token)
                .build());
        LeaseSettings times =
                LeaseSettings.builder("*").ttl(Duration.ofSeconds(600)).build();
        sessions = List.of(
                Answers.of(() -> backend.openSession(times, "one")),
                Answers.of(() -> backend.openSession(times, "other")));
    }

    synchronized void raise(Fence fence, Tenure tenure) throws RaiseRefusedException {
        try {
            fence.raise(tenure);
            return;
        } catch (FenceUnavailableException notHeld) {
            hold(tenure);
        }
        fence.raise(tenure);
    }

    private void hold(Tenure tenure) throws RaiseRefusedException {
        Acquired acquired = lock(tenure);
        LeaseSession session = held.session();
        Publication answer = Answers.of(() -> session.publish(tenure, acquired.revision()));
        if (answer instanceof Publication.Refused refused) {
            throw new RaiseRefusedException(refused.mark(), tenure, refused.token());
        }
    }

    /** What a tenure has before it is published. */
    synchronized Acquired lock(Tenure tenure) {
        Held before = held;
        if (before != null) {
            Answers.of(() -> before.session().release(before.tenure().lease(), before.revision()));
        }
        LeaseSession session = sessions.get(tenures++ / 2 % 2);
        Acquired acquired = (Acquired) Answers.of(() -> session.acquire(tenure.lease(), tenure.nonce()));
        held = new Held(tenure, session, acquired.revision());
        return acquired;
    }

    String session() {
        return held.session().id();
    }

    /** Of the session that holds it. */
    Renewal renew() {
        return Answers.of(held.session()::renew);
    }

    String lockKey() {
        return backend.settings().keyPrefix() + "/leases/" + held.tenure().lease();
    }

    String markKey() {
        return backend.settings().keyPrefix() + "/mark/" + held.tenure().lease();
    }

    @Override
    public void close() {
        sessions.forEach(session -> Answers.of(() -> session.destroy()));
        backend.close();
    }
}
