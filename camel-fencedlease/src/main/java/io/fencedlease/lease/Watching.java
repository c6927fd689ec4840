package io.fencedlease.lease;

import io.fencedlease.lease.spi.LeaseSession;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a session's long polls for as long as it is current; each answer is a wake-up, each failure only a pause. */
final class Watching {

    private static final Logger LOG = LoggerFactory.getLogger(Watching.class);

    /** At most so often; what happens in between is seen by the next poll. */
    private static final Duration GAP = Duration.ofMillis(250);

    private final Loop loop;
    private final Predicate<LiveSession> current;
    private final Consumer<LeaseSession.Watch> wakeUp;

    Watching(Loop loop, Predicate<LiveSession> current, Consumer<LeaseSession.Watch> wakeUp) {
        this.loop = loop;
        this.current = current;
        this.wakeUp = wakeUp;
    }

    void start(LiveSession session) {
        for (LeaseSession.Watch watch : session.session().watches()) {
            poll(session, watch, new Backoff(loop.random(), Duration.ofSeconds(5)));
        }
    }

    private void poll(LiveSession session, LeaseSession.Watch watch, Backoff backoff) {
        if (!current.test(session)) {
            return;
        }
        try {
            watch.next().whenComplete((answer, error) -> loop.timers()
                    .execute(() -> answered(session, watch, backoff, error)));
        } catch (RuntimeException | Error thrown) {
            answered(session, watch, backoff, thrown);
        }
    }

    private void answered(LiveSession session, LeaseSession.Watch watch, Backoff backoff, @Nullable Throwable error) {
        if (error == null) {
            backoff.reset();
            if (current.test(session)) {
                wakeUp.accept(watch);
            }
        } else {
            LOG.debug("watch failed, which proves nothing: {}", error.toString());
        }
        Duration pause = error == null ? GAP : backoff.next();
        loop.timers().after(pause, () -> poll(session, watch, backoff));
    }
}
