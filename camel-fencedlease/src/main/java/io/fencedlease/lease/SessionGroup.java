package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All leases of one session. Level-triggered: whatever happens, {@link #step()} looks at what is due now. Besides the
 * renewal there is one call at a time, so answers never overtake each other. Confined to the loop.
 */
final class SessionGroup implements SessionKeeper.Owner, Claim.Group {

    private static final Logger LOG = LoggerFactory.getLogger(SessionGroup.class);

    private final Loop loop;
    private final LeaseSettings settings;
    private final Map<LeaseName, Claim> claims = new ConcurrentHashMap<>();
    private final SessionKeeper keeper;
    private final Watching watching;
    private final Alarm alarm;
    private final ReadPace readPace;

    private final EntryCalls calls;
    private final Pulse pulse;
    private boolean poked;
    private boolean closed;

    SessionGroup(Loop loop, LeaseBackend backend, LeaseSettings settings, String holder) {
        this.loop = loop;
        this.settings = settings;
        this.alarm = new Alarm(loop.timers(), this::step);
        this.keeper = new SessionKeeper(loop, backend, settings, holder, this, alarm);
        this.watching = new Watching(loop, keeper::isCurrent, this::woken);
        Duration interval = backend.pollInterval(settings)
                .filter(poll -> poll.compareTo(settings.renewalInterval()) < 0)
                .orElse(settings.renewalInterval());
        this.pulse = new Pulse(
                loop.ticker(), settings.renewalInterval().multipliedBy(2).plus(settings.attemptLimit()));
        this.readPace = new ReadPace(loop, interval, settings.attemptLimit());
        this.calls = new EntryCalls(loop, settings, keeper, readPace, this::poke);
    }

    void want(LeaseName name, List<RaiseHook> hooks, CompletableFuture<Lease> future) {
        claims.computeIfAbsent(name, n -> new Claim(n, settings, loop, hooks, this))
                .want(future);
    }

    void cancelled(LeaseName name, CompletableFuture<Lease> future) {
        Claim claim = claims.get(name);
        if (claim != null) {
            claim.cancelled(future);
        }
    }

    /** Another group wants this lease. False if it is in use here; what is only doubtful stays here to be watched. */
    boolean handOver(LeaseName name) {
        Claim claim = claims.get(name);
        if (claim != null && !claim.worthReading()) {
            claims.remove(name);
        }
        return claim == null || claim.isIdle();
    }

    /** For any thread; a problem of the whole group counts where the lease has none of its own. */
    LeaseReport report(LeaseName name) {
        Claim claim = claims.get(name);
        if (claim == null) {
            return LeaseReport.idle(name);
        }
        return claim.standing
                .report()
                .with(keeper.problem())
                .with(calls.problem())
                .with(pulse.ailment());
    }

    void generationOpened(LeaseName name) {
        Claim claim = claims.get(name);
        if (claim != null) {
            claim.preparation.generationOpened();
        }
    }

    @Override
    public void poke() {
        if (!poked) {
            poked = true;
            loop.timers().execute(this::step);
        }
    }

    @Override
    public void wake() {
        readPace.wake();
        poke();
    }

    /** A change of the session is told by a renewal, for all its leases at once; any other by a read. */
    private void woken(LeaseSession.Watch watch) {
        if (watch.ofSession()) {
            keeper.renewSoon();
        }
        wake();
    }

    @Override
    public void opened(LiveSession session) {
        watching.start(session);
        readPace.restart();
        wake();
    }

    @Override
    public void gone(LiveSession session, LossReason reason) {
        claims.values().forEach(claim -> claim.sessionOver(session, reason));
        poke();
    }

    /** Never throws: what fails here is tried again at the next step. */
    private void step() {
        poked = false;
        if (closed) {
            return;
        }
        pulse.beat();
        alarm.within(settings.renewalInterval());
        try {
            keeper.step(claims.values().stream().anyMatch(Claim::worthReading));
            Tick now = loop.now();
            claims.values().forEach(claim -> claim.checkDeadline(now, alarm));
            LiveSession session = keeper.current();
            if (session != null && !calls.busy()) {
                callNext(session, now.nanos());
            }
        } catch (Throwable bug) {
            LOG.error("a step of the lease loop failed; it is tried again", bug);
            alarm.within(ReadPace.WAKE_GAP);
        } finally {
            alarm.set();
        }
    }

    private void callNext(LiveSession session, long now) {
        if (readPace.due(now, alarm)) {
            List<Claim> worth =
                    claims.values().stream().filter(Claim::worthReading).toList();
            if (!worth.isEmpty()) {
                calls.read(session, worth);
                return;
            }
        }
        for (Claim claim : claims.values()) {
            if (claim.releaseDue(now, alarm)) {
                calls.release(session, claim);
                return;
            }
        }
        for (Claim claim : claims.values()) {
            HeldLease lease = claim.preparation.toPublish(session);
            if (lease != null) {
                calls.publish(session, claim.preparation, lease);
                return;
            }
        }
        for (Claim claim : claims.values()) {
            if (claim.acquireDue(now, alarm)) {
                calls.acquire(session, claim);
                return;
            }
        }
    }

    /** True while an entry that nobody here needs is still to be given back. */
    boolean givingBack() {
        return claims.values().stream().anyMatch(Claim::mayGiveBack);
    }

    void shut() {
        claims.values().forEach(Claim::shut);
    }

    /** How long closing waits for what is given back: two attempts. */
    Duration releaseBound() {
        return settings.attemptLimit().multipliedBy(2);
    }

    void close(Runnable afterwards) {
        closed = true;
        pulse.stop();
        alarm.stop();
        keeper.close(afterwards);
    }
}
