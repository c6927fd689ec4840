package io.fencedlease.lease;

import io.fencedlease.lease.Ailment.Kind;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one session alive: opens it, renews it, notices its end, opens the next. Confined to the loop. */
final class SessionKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);

    /** Told on the loop. */
    interface Owner {
        void opened(LiveSession session);

        /** The session is over and must not be believed any more. */
        void gone(LiveSession session, LossReason reason);

        /** What is due has changed. */
        void poke();
    }

    private final Loop loop;
    private final LeaseBackend backend;
    private final LeaseSettings settings;
    private final String holder;
    private final Owner owner;
    private final Alarm alarm;
    private final Condemned condemned;
    private final Backoff openBackoff;
    private final Backoff renewBackoff;

    private @Nullable LiveSession current;
    private boolean opening;
    private boolean renewing;
    private long nextOpen;
    private long nextRenewal;
    private volatile @Nullable Ailment problem;

    SessionKeeper(Loop loop, LeaseBackend backend, LeaseSettings settings, String holder, Owner owner, Alarm alarm) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.holder = holder;
        this.owner = owner;
        this.alarm = alarm;
        this.condemned = new Condemned(loop, settings);
        this.openBackoff = new Backoff(loop.random(), settings.renewalInterval());
        this.renewBackoff = new Backoff(loop.random(), settings.attemptLimit(), settings.renewalInterval());
        this.nextOpen = loop.ticker().nanos();
    }

    @Nullable
    LiveSession current() {
        return current;
    }

    boolean isCurrent(LiveSession session) {
        return current == session && !session.deadline().passed(loop.now());
    }

    Optional<Ailment> problem() {
        return Optional.ofNullable(problem);
    }

    /** Does what is due and sets the alarm for what will be. */
    void step(boolean wanted) {
        Tick now = loop.now();
        LiveSession session = current;
        if (session == null) {
            if (wanted && !opening) {
                due(nextOpen, now, this::open);
            }
            return;
        }
        if (session.deadline().passed(now)) {
            end(session, deadlinePassed());
            return;
        }
        alarm.within(session.deadline().left(now));
        if (!renewing) {
            due(nextRenewal, now, () -> renew(session));
        }
    }

    private void due(long when, Tick now, Runnable action) {
        if (now.nanos() - when >= 0) {
            action.run();
        } else {
            alarm.within(Duration.ofNanos(when - now.nanos()));
        }
    }

    private LossReason deadlinePassed() {
        return new LossReason(
                LossReason.Kind.DEADLINE_PASSED,
                "no renewal answered for " + settings.beliefSpan().toMillis() + " ms"
                        + problem().map(p -> "; last: " + p.text()).orElse(""));
    }

    private void open() {
        opening = true;
        Tick asked = loop.now();
        loop.call(() -> backend.openSession(settings, holder), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(LeaseSession opened) {
                opening = false;
                LiveSession session = new LiveSession(opened, new Deadline(asked, settings.beliefSpan()));
                current = session;
                problem = null;
                renewBackoff.reset();
                nextRenewal = asked.nanos() + settings.renewalInterval().toNanos();
                LOG.info(
                        "session {} opened at {}: TTL {}, lock-delay {}; after a crash the next node takes over within {}",
                        opened.id(),
                        backend.describe(),
                        settings.ttl(),
                        settings.lockDelay(),
                        backend.failoverBound(settings));
                owner.opened(session);
            }

            @Override
            public void failed(Throwable why) {
                opening = false;
                nextOpen = loop.ticker().nanos() + openBackoff.after(why).toNanos();
                trouble(ailment("no session at " + backend.describe() + ": " + FailureText.of(why), why));
            }
        });
    }

    /** Something happened to the session; what, the answer of a renewal says. */
    void renewSoon() {
        nextRenewal = loop.ticker().nanos();
    }

    private void renew(LiveSession session) {
        renewing = true;
        Tick asked = loop.now();
        nextRenewal = asked.nanos() + settings.renewalInterval().toNanos();
        loop.call(() -> session.session().renew(), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(Renewal answer) {
                renewing = false;
                renewed(session, asked, answer);
            }

            @Override
            public void failed(Throwable why) {
                renewing = false;
                renewalFailed(session, why);
            }
        });
    }

    private void renewed(LiveSession session, Tick asked, Renewal answer) {
        if (current != session) {
            return;
        }
        if (answer instanceof SessionGone gone) {
            end(session, new LossReason(LossReason.Kind.SESSION_GONE, gone.detail()));
        } else if (session.deadline().passed(loop.now())) {
            end(session, deadlinePassed());
        } else {
            session.deadline().extend(asked);
            openBackoff.reset();
            renewBackoff.reset();
            if (problem != null) {
                LOG.info("session {} renewed again", session.session().id());
                problem = null;
            }
        }
    }

    private void renewalFailed(LiveSession session, Throwable why) {
        if (current != session) {
            return;
        }
        nextRenewal = loop.ticker().nanos() + renewBackoff.after(why).toNanos();
        long left = Math.max(0, session.deadline().left(loop.now()).toMillis());
        Ailment found = ailment(
                "session " + session.session().id() + " not renewed, " + left + " ms left: " + FailureText.of(why),
                why);
        boolean half = left < settings.beliefSpan().toMillis() / 2;
        trouble(half ? new Ailment(Kind.NOT_RENEWED, found.text()).orGraver(found) : found);
    }

    /** Another call was told that the session is dead. */
    void saidGone(LiveSession session, SessionGone gone) {
        if (current == session) {
            end(session, new LossReason(LossReason.Kind.SESSION_GONE, gone.detail()));
        }
    }

    private void end(LiveSession session, LossReason reason) {
        current = null;
        nextOpen = loop.ticker().nanos() + openBackoff.next().toNanos();
        LOG.warn("session {} is over: {}", session.session().id(), reason);
        condemned.destroy(session.session()); // also if it is gone: its long polls end with it
        owner.gone(session, reason);
    }

    /** Destroys the session, if any, and runs the task when that is answered or given up. */
    void close(Runnable afterwards) {
        LiveSession session = current;
        current = null;
        condemned.lastTry(session == null ? null : session.session(), afterwards);
    }

    /** A failed call; the time of the next one is set. */
    private void trouble(Ailment found) {
        problem = found;
        LOG.warn("{}", found.text());
        owner.poke(); // else the next call waits until something else wakes the loop
    }

    static Ailment ailment(String text, Throwable why) {
        return new Ailment(why instanceof BackendRefusedException ? Kind.CONFIGURATION : Kind.TRANSIENT, text);
    }
}
