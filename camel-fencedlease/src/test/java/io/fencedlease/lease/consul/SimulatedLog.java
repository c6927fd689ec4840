package io.fencedlease.lease.consul;

import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import io.fencedlease.lease.consul.SimulatedSessions.Session;
import java.util.Random;
import java.util.function.LongFunction;

/** The leader's way to change what is replicated, and what else happens when it does. */
final class SimulatedLog {

    SimulatedStore store = SimulatedStore.empty();
    final SimulatedDelays delays;
    final SimulatedExpiry expiry;
    final SimulatedWatches watches;

    SimulatedLog(Ticker ticker, Timers timers, Random random) {
        delays = new SimulatedDelays(ticker);
        expiry = new SimulatedExpiry(ticker, timers, random, this);
        watches = new SimulatedWatches(timers, random);
    }

    /** One entry of the log; it takes an index also if it changes nothing. */
    <T> T write(LongFunction<T> change) {
        T result = change.apply(store.next());
        watches.keysChanged(store.keys.settle());
        return result;
    }

    void open(Session session) {
        store.sessions.add(session);
        expiry.arm(session);
    }

    /** Destroyed or expired: what it held is free, and shut for a while. */
    void end(Session session) {
        store.end(session).forEach(key -> delays.start(key, session.lockDelay()));
        watches.keysChanged(store.keys.settle());
        watches.sessionEnded(session.id());
    }

    /** Another state; the log goes on behind it. Who waits is woken by what there was. */
    void restore(SimulatedStore snapshot) {
        watches.answerAll();
        long reached = store.index();
        store = snapshot.copy();
        store.goOnFrom(reached);
        store.next();
        delays.apply(LockDelays.FORGOTTEN);
        expiry.restart();
    }
}
