package io.fencedlease.lease;

import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.LeaseSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions we no longer believe in but the service may: destroyed again and again until that is answered. Destroying
 * starts the lock-delay, which a release would skip. Confined to the loop.
 */
final class Condemned {

    private static final Logger LOG = LoggerFactory.getLogger(Condemned.class);

    private final Loop loop;
    private final LeaseSettings settings;
    private final List<LeaseSession> sessions = new ArrayList<>();

    Condemned(Loop loop, LeaseSettings settings) {
        this.loop = loop;
        this.settings = settings;
    }

    void destroy(LeaseSession session) {
        sessions.add(session);
        attempt(session, new Backoff(loop.random(), settings.renewalInterval()));
    }

    private void attempt(LeaseSession session, Backoff backoff) {
        loop.call(destroying(session), settings.attemptLimit(), new Loop.Answer<>() {
            @Override
            public void good(Boolean answered) {
                sessions.remove(session);
                LOG.debug("session {} destroyed", session.id());
            }

            @Override
            public void failed(Throwable why) {
                LOG.debug("session {} not destroyed: {}", session.id(), why.toString());
                if (why instanceof BackendRefusedException) {
                    sessions.remove(session);
                    LOG.warn("session {} not destroyed, its TTL will end it: {}", session.id(), FailureText.of(why));
                    return;
                }
                loop.timers().after(backoff.next(), () -> attempt(session, backoff));
            }
        });
    }

    /** Destroys this session and those still condemned, one attempt each, then runs the task. */
    void lastTry(@Nullable LeaseSession session, Runnable afterwards) {
        List<LeaseSession> all = new ArrayList<>(sessions);
        if (session != null) {
            all.add(session);
        }
        int[] open = {all.size()};
        if (all.isEmpty()) {
            afterwards.run();
        }
        for (LeaseSession each : all) {
            loop.call(destroying(each), settings.attemptLimit(), new Loop.Answer<>() {
                @Override
                public void good(Boolean answered) {
                    oneLess();
                }

                @Override
                public void failed(Throwable why) {
                    LOG.warn("session {} not destroyed, its TTL will end it: {}", each.id(), FailureText.of(why));
                    oneLess();
                }

                private void oneLess() {
                    if (--open[0] == 0) {
                        afterwards.run();
                    }
                }
            });
        }
    }

    private static Supplier<CompletionStage<Boolean>> destroying(LeaseSession session) {
        return () -> session.destroy().thenApply(done -> true);
    }
}
