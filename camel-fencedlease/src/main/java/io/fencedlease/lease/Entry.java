package io.fencedlease.lease;

import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.Holding;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What this node knows about a lease's entry in the service, under the current session. Confined to the loop. */
final class Entry {

    private final Loop loop;
    private final Backoff backoff;
    private boolean seenFree;
    private boolean ours;
    private boolean revisionKnown;
    private long revision;
    private boolean sent;
    private boolean doubtful;
    private @Nullable String nonce;
    private String holder = "";
    private long notBefore;
    private long releaseNotBefore;

    Entry(Loop loop, Duration longestPause) {
        this.loop = loop;
        this.backoff = new Backoff(loop.random(), longestPause);
        this.notBefore = loop.ticker().nanos();
        this.releaseNotBefore = notBefore;
    }

    /** Takes in a consistent read. */
    void saw(Holding holding, String session) {
        Holding.Held held = holding instanceof Holding.Held h ? h : null;
        ours = held != null && held.session().equals(session);
        holder = held == null || ours ? "" : held.holder();
        // ours by this very acquisition, whose answer was lost: repeating it changes nothing and tells the token
        seenFree = held == null || (ours && held.nonce().equals(nonce));
        if (ours) {
            revision = held.revision();
            revisionKnown = true;
        }
    }

    void own(long itsRevision) {
        sent = false;
        ours = true;
        revision = itsRevision;
        revisionKnown = true;
        backoff.reset();
    }

    /** Ours, but not by the acquisition under way. */
    boolean isOrphan() {
        return ours && !seenFree;
    }

    /** Not ours, and no acquisition is under way. */
    void reset() {
        ours = false;
        seenFree = false;
        revisionKnown = false;
        nonce = null;
    }

    /** The session is over: nothing that it did or may still do concerns us. */
    void sessionOver() {
        reset();
        sent = false;
        doubtful = false;
    }

    /** Held elsewhere: wait until it is seen free. Shut by lock-delay: nothing tells its end, so poll. */
    void refused(Acquisition answer) {
        sent = false;
        if (answer instanceof Acquisition.HeldElsewhere elsewhere) {
            seenFree = false;
            holder = elsewhere.holder();
        } else {
            pauseFor(backoff.between(Duration.ofMillis(250), Duration.ofMillis(500)));
        }
    }

    /** The attempt's outcome is unknown: it may take the entry yet, as long as this session lives. */
    void unknown(Throwable why) {
        sent = false;
        doubtful = true;
        pauseFor(backoff.after(why));
        if (why instanceof BackendRefusedException) {
            nonce = null; // if it took the entry all the same, it is given back rather than asked for again
        }
    }

    /** A release that failed, or that met another revision: only a read can tell whether the entry is still ours. */
    void notReleased(@Nullable Throwable why) {
        revisionKnown = false;
        if (why != null) {
            releaseNotBefore = loop.ticker().nanos() + backoff.after(why).toNanos();
        }
    }

    boolean releaseDue(long now, Alarm alarm) {
        return revisionKnown && over(releaseNotBefore, now, alarm);
    }

    /** For an attempt that is about to be sent. The nonce of its acquisition: the same for each of its attempts, so that a repeated one changes nothing. */
    String acquisitionNonce() {
        sent = true;
        if (nonce == null) {
            nonce = loop.newNonce();
        }
        return nonce;
    }

    void pauseFor(Duration pause) {
        notBefore = loop.ticker().nanos() + pause.toNanos();
    }

    /** Whether the pause is over; if not, the alarm is asked to ring then. */
    boolean due(long now, Alarm alarm) {
        return over(notBefore, now, alarm);
    }

    private static boolean over(long pause, long now, Alarm alarm) {
        if (now - pause >= 0) {
            return true;
        }
        alarm.within(Duration.ofNanos(pause - now));
        return false;
    }

    boolean isSeenFree() {
        return seenFree;
    }

    boolean isOurs() {
        return ours;
    }

    long revision() {
        return revision;
    }

    /** An attempt is under way, or was and may still take the entry. */
    boolean isDoubtful() {
        return sent || doubtful;
    }

    String holder() {
        return holder;
    }
}
