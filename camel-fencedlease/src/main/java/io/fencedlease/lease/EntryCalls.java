package io.fencedlease.lease;

import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.SessionGone;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls about entries: reading, acquiring, publishing, releasing. One at a time, so that answers never overtake each other.
 * Confined to the loop, but for {@link #problem()}.
 */
final class EntryCalls {

    private static final Logger LOG = LoggerFactory.getLogger(EntryCalls.class);

    private final Loop loop;
    private final LeaseSettings settings;
    private final SessionKeeper keeper;
    private final ReadPace readPace;
    private final Runnable afterwards;
    private boolean busy;
    private volatile @Nullable Ailment readProblem;

    EntryCalls(Loop loop, LeaseSettings settings, SessionKeeper keeper, ReadPace readPace, Runnable afterwards) {
        this.loop = loop;
        this.settings = settings;
        this.keeper = keeper;
        this.readPace = readPace;
        this.afterwards = afterwards;
    }

    boolean busy() {
        return busy;
    }

    Optional<Ailment> problem() {
        return Optional.ofNullable(readProblem);
    }

    void read(LiveSession session, List<Claim> asked) {
        Tick began = loop.now();
        readPace.began(began);
        asked.forEach(claim -> claim.confirmations.readBegins());
        Collection<LeaseName> names = asked.stream().map(claim -> claim.name).toList();
        busy = true;
        loop.call(() -> session.session().read(names), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(Map<LeaseName, Holding> holdings) {
                done();
                readPace.succeeded();
                readProblem = null;
                for (Claim claim : asked) {
                    Holding holding = holdings.get(claim.name);
                    if (holding != null && keeper.isCurrent(session)) {
                        claim.saw(holding, session, began);
                        claim.confirmations.answer(claim.holds());
                    } else {
                        claim.confirmations.unknown(new BackendUnavailableException("nothing read in time"));
                    }
                }
            }

            @Override
            public void failed(Throwable why) {
                done();
                readPace.failed(why);
                Ailment problem = SessionKeeper.ailment("leases not read: " + FailureText.of(why), why);
                if (!problem.equals(readProblem)) {
                    LOG.warn("{}", problem.text());
                }
                readProblem = problem;
                asked.forEach(claim -> claim.confirmations.unknown(why));
            }
        });
    }

    void acquire(LiveSession session, Claim claim) {
        String nonce = claim.entry.acquisitionNonce();
        Tick asked = loop.now();
        busy = true;
        loop.call(() -> session.session().acquire(claim.name, nonce), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(Acquisition answer) {
                done();
                if (!keeper.isCurrent(session)) {
                    LOG.debug("lease '{}' answer {} of a session that is over dropped", claim.name, answer);
                } else if (answer instanceof Acquisition.Acquired acquired) {
                    claim.acquired(acquired, nonce, session, asked);
                } else if (answer instanceof SessionGone gone) {
                    keeper.saidGone(session, gone);
                } else {
                    claim.entry.refused(answer);
                    claim.standing.noTrouble();
                }
            }

            @Override
            public void failed(Throwable why) {
                done();
                claim.entry.unknown(why);
                claim.standing.trouble("not acquired", why);
            }
        });
    }

    void publish(LiveSession session, Preparation preparation, HeldLease lease) {
        busy = true;
        preparation.publishing();
        loop.call(
                () -> session.session().publish(lease.tenure(), lease.revision()),
                settings.attemptLimit(),
                new Loop.Answer<>() {
                    @Override
                    public void good(Publication answer) {
                        done();
                        preparation.published(lease, answer);
                    }

                    @Override
                    public void failed(Throwable why) {
                        done();
                        preparation.notPublished(lease, why);
                    }
                });
    }

    void release(LiveSession session, Claim claim) {
        busy = true;
        long revision = claim.entry.revision();
        loop.call(() -> session.session().release(claim.name, revision), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(Release answer) {
                done();
                if (answer == Release.DONE && claim.isGivingBack()) {
                    claim.settle();
                } else if (answer == Release.MOVED) {
                    claim.notReleased(null);
                }
            }

            @Override
            public void failed(Throwable why) {
                done();
                claim.notReleased(why);
            }
        });
    }

    private void done() {
        busy = false;
        afterwards.run();
    }
}
