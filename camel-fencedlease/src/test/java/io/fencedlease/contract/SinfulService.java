package io.fencedlease.contract;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseBackend;
import io.fencedlease.lease.spi.NextGeneration;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A lease service in memory that keeps the contract but for one sin. It proves the contract suite;
 * without sin, and so checked by that suite, it is the model for tests of the loop in virtual time. */
public final class SinfulService {

    private record Session(LeaseSettings settings, long renewed) {}

    private record Entry(String session, long token, String nonce, String holder, long shutUntil) {}

    private final Sin sin;
    private final Ticker ticker;
    private final Map<String, Session> sessions = new HashMap<>();
    private final Map<LeaseName, Entry> leases = new HashMap<>();
    private final Map<LeaseName, Tenure> marks = new HashMap<>();
    private long lastToken;
    private int destroys;

    SinfulService(Sin sin) {
        this(sin, Ticker.system());
    }

    private SinfulService(Sin sin, Ticker ticker) {
        this.sin = sin;
        this.ticker = ticker;
    }

    /** One that keeps the whole contract, in the ticker's time: the model for tests of the loop. */
    public static SinfulService sinless(Ticker ticker) {
        return new SinfulService(Sin.NONE, ticker);
    }

    /** Another client of this service. */
    public LeaseBackend client() {
        return new SinfulBackend(this);
    }

    /** Deletes a lease's entry, as a stranger may: no lock-delay, the session lives. */
    public synchronized void delete(LeaseName lease) {
        leases.put(lease, new Entry("", 0, "", "", Long.MIN_VALUE));
    }

    /** Loses all memory, as a service that was rebuilt: its sessions, its leases, its marks, and what it counted. */
    public synchronized void wipe() {
        sessions.clear();
        leases.clear();
        marks.clear();
        lastToken = 0;
    }

    /** Ends a session from outside. */
    public synchronized void endSession(String id) {
        end(id);
    }

    /** Ends all sessions from outside. */
    public synchronized void endAllSessions() {
        Set.copyOf(sessions.keySet()).forEach(this::end);
    }

    /** The session that has a lease; empty if none. */
    public synchronized String holderOf(LeaseName lease) {
        return current(lease).session();
    }

    public synchronized int openSessions() {
        return sessions.size();
    }

    synchronized String open(LeaseSettings settings) {
        String id = UUID.randomUUID().toString();
        sessions.put(id, new Session(settings, ticker.nanos()));
        return id;
    }

    synchronized Renewal renew(String id) {
        if (!alive(id)) {
            return sin == Sin.EXPIRED_SESSION_RENEWS ? new Renewal.Renewed() : gone();
        }
        if (sin != Sin.RENEWAL_EXTENDS_NOTHING) {
            sessions.put(id, new Session(sessions.get(id).settings(), ticker.nanos()));
        }
        return new Renewal.Renewed();
    }

    synchronized Acquisition acquire(String id, LeaseName lease, String nonce, String holder) {
        if (!alive(id) && sin != Sin.DEAD_SESSION_ACQUIRES) {
            return gone();
        }
        Entry entry = current(lease);
        if (entry.session().equals(id) && (entry.nonce().equals(nonce) || sin == Sin.NEW_NONCE_KEEPS_THE_TOKEN)) {
            return tenure(sin == Sin.REPETITION_DRAWS_A_TOKEN ? ++lastToken : entry.token());
        }
        if (sin == Sin.NEVER_ACQUIRES || heldByAnother(entry, id)) {
            return new Acquisition.HeldElsewhere(sin == Sin.HIDES_THE_HOLDER ? "" : entry.holder());
        }
        if (ticker.nanos() < entry.shutUntil()) {
            return new Acquisition.LockDelayed();
        }
        lastToken = sin == Sin.TOKEN_REPEATS ? Math.max(1, lastToken) : lastToken + 1;
        leases.put(lease, new Entry(id, lastToken, nonce, holder, Long.MIN_VALUE));
        return tenure(lastToken);
    }

    synchronized Publication publish(String id, Tenure tenure, long revision) {
        Entry entry = current(tenure.lease());
        boolean held = entry.session().equals(id) && entry.token() == revision;
        if (!held && sin != Sin.PUBLISHES_WHAT_IS_NOT_HELD) {
            return new Publication.NotHeld();
        }
        Tenure mark = marks.get(tenure.lease());
        if (mark != null
                && mark.token().compareTo(tenure.token()) >= 0
                && (!mark.equals(tenure) || sin == Sin.REPEATED_PUBLICATION_IS_REFUSED)) {
            return new Publication.Refused("memory", mark.token().value());
        }
        marks.put(tenure.lease(), tenure);
        return new Publication.Published(mark == null);
    }

    synchronized Optional<Tenure> published(LeaseName lease) {
        Tenure mark = marks.get(lease);
        boolean forgotten =
                sin == Sin.FORGETS_WHO_WAS_PUBLISHED && current(lease).session().isEmpty();
        return forgotten ? Optional.empty() : Optional.ofNullable(mark);
    }

    synchronized long openGeneration(LeaseName lease, long highest) {
        Tenure mark = marks.get(lease);
        long known = Math.max(highest, mark == null ? 0 : mark.token().value());
        long opened = sin == Sin.GENERATION_WITHOUT_LIMIT
                ? known + NextGeneration.MARGIN
                : NextGeneration.above(lease, known);
        if (sin == Sin.GENERATION_ENDS_THE_TENURE) {
            delete(lease);
        }
        if (sin != Sin.GENERATION_OPENS_NOTHING) {
            lastToken = sin == Sin.GENERATION_GOES_DOWN ? opened : Math.max(lastToken, opened);
        }
        return lastToken;
    }

    synchronized Release release(String id, LeaseName lease, long revision) {
        Entry entry = current(lease);
        if (!entry.session().equals(id) && sin != Sin.RELEASE_IGNORES_THE_SESSION) {
            return Release.DONE;
        }
        if (entry.token() != revision
                && sin != Sin.RELEASE_IGNORES_THE_REVISION
                && entry.session().equals(id)) {
            return Release.MOVED;
        }
        long shut = ticker.nanos() + (sin == Sin.RELEASE_STARTS_LOCK_DELAY ? 1_000_000_000L : 0);
        leases.put(lease, new Entry("", entry.token(), "", "", shut));
        return Release.DONE;
    }

    synchronized Map<LeaseName, Holding> read(Collection<LeaseName> asked) {
        Map<LeaseName, Holding> answer = new HashMap<>();
        for (LeaseName lease : asked) {
            Entry e = current(lease);
            if (!e.session().isEmpty()) {
                answer.put(lease, new Holding.Held(e.session(), e.token(), e.nonce(), e.holder()));
            } else if (sin != Sin.READ_LEAVES_OUT_FREE_LEASES) {
                answer.put(lease, new Holding.Free());
            }
            if (sin == Sin.READS_ONLY_64 && answer.size() == 64) {
                break;
            }
        }
        return answer;
    }

    synchronized void destroy(String id) {
        if (sin == Sin.SECOND_DESTROY_FAILS && ++destroys > 1) {
            throw new BackendUnavailableException("no such session");
        }
        end(id);
    }

    private boolean alive(String id) {
        Session session = sessions.get(id);
        if (session == null) {
            return false;
        }
        long ttl = session.settings().ttl().toNanos() / (sin == Sin.EXPIRES_EARLY ? 3 : 1);
        if (ticker.nanos() - session.renewed() < ttl) {
            return true;
        }
        end(id);
        return false;
    }

    private void end(String id) {
        Session session = sessions.remove(id);
        if (session == null) {
            return;
        }
        long delay =
                sin == Sin.NO_LOCK_DELAY ? 0 : session.settings().lockDelay().toNanos();
        long until = ticker.nanos() + delay;
        leases.replaceAll((lease, e) -> e.session().equals(id) ? new Entry("", e.token(), "", "", until) : e);
    }

    private boolean heldByAnother(Entry entry, String id) {
        return !entry.session().isEmpty() && !entry.session().equals(id) && sin != Sin.TWO_HOLDERS;
    }

    private Entry current(LeaseName lease) {
        Entry entry = leases.get(lease);
        if (entry != null && !entry.session().isEmpty()) {
            alive(entry.session());
        }
        return leases.getOrDefault(lease, new Entry("", 0, "", "", Long.MIN_VALUE));
    }

    private SessionGone gone() {
        if (sin == Sin.DEAD_SESSION_IS_AN_EXCEPTION) {
            throw new BackendUnavailableException("invalid session");
        }
        return new SessionGone("no such session");
    }

    private static Acquisition tenure(long token) {
        return new Acquisition.Acquired(new FencingToken(token), token);
    }
}
