package io.fencedlease.lease.consul;

import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Takes requests, as far as there is a process and a leader, and carries them out one after the other. */
final class SimulatedServer {

    /** How long a leader that lost its quorum does not know. */
    private static final Duration UNAWARE = Duration.ofMillis(500);

    private static final Duration COMMIT_FAILS = Duration.ofMillis(440);
    private static final Duration LEADER_AWAITED = Duration.ofSeconds(7);

    private enum Process {
        RUNNING,
        FROZEN,
        STOPPED
    }

    /** The agent that a client asks. */
    static final class Agent {
        boolean passesOn;
        /** What a leader that was deposed, and does not know, still believes. */
        @Nullable
        SimulatedStore former;
    }

    final SimulatedLog log;
    final Map<String, SimulatedRights> tokens = new HashMap<>();
    boolean denies;

    private final Ticker ticker;
    private final Timers timers;
    private final Random random;
    private final SimulatedSessionApi sessions;
    private final SimulatedKeyApi keys;
    private final List<Runnable> queue = new ArrayList<>();
    private final List<Runnable> awaitingLeader = new ArrayList<>();
    private final List<Runnable> proposed = new ArrayList<>();
    private Process process = Process.RUNNING;
    private boolean leader = true;
    private long leaderLost;

    SimulatedServer(Ticker ticker, Timers timers, Random random) {
        this.ticker = ticker;
        this.timers = timers;
        this.random = random;
        log = new SimulatedLog(ticker, timers, random);
        sessions = new SimulatedSessionApi(log, random, Duration.ofSeconds(1));
        keys = new SimulatedKeyApi(log);
    }

    boolean listens() {
        return process != Process.STOPPED;
    }

    void receive(Agent agent, String token, ConsulRequest request, SimulatedCaller caller) {
        switch (process) {
            case STOPPED -> caller.cut();
            case FROZEN -> queue.add(() -> receive(agent, token, request, caller));
            case RUNNING -> {
                SimulatedCall call = SimulatedCall.of(request);
                if (leader || agent.former != null && call.needsNoQuorum()) {
                    serve(agent, token, call, caller);
                } else {
                    withoutLeader(agent, token, call, caller);
                }
            }
        }
    }

    private void serve(Agent agent, String token, SimulatedCall call, SimulatedCaller caller) {
        try {
            SimulatedStore view = log.store;
            if (agent.former != null && call.needsNoQuorum()) {
                view = agent.former;
            } else if (agent.former != null && call.has("consistent") && random.nextBoolean()) {
                throw SimulatedRefusal.failed("node is not the leader");
            }
            carryOut(call.with(rights(token)), view, caller);
        } catch (SimulatedRefusal refusal) {
            boolean prefixed = agent.passesOn && refusal.byLeader;
            String text = prefixed ? "rpc error making call: " + refusal.text() : refusal.text();
            caller.answered(new SimulatedReply(refusal.status, text, 0));
        }
    }

    private void carryOut(SimulatedCall call, SimulatedStore view, SimulatedCaller caller) {
        if (call.path().equals("txn")) {
            caller.answered(new SimulatedTxn(log).answer(call, view));
        } else if (call.path().startsWith("kv/")) {
            keys.answer(call, view, caller);
        } else if (call.path().startsWith("session/")) {
            sessions.answer(call, view, caller);
        } else {
            caller.answered(new SimulatedReply(404, "", 0));
        }
    }

    private SimulatedRights rights(String token) {
        if (!denies) {
            return SimulatedRights.ALL;
        }
        if (token.isEmpty()) {
            return SimulatedRights.NONE;
        }
        SimulatedRights rights = tokens.get(token);
        if (rights == null) {
            throw SimulatedRefusal.unknownToken();
        }
        return rights;
    }

    /** For a moment the old leader answers what needs no quorum; what it has proposed may be committed later. */
    private void withoutLeader(Agent agent, String token, SimulatedCall call, SimulatedCaller caller) {
        boolean unaware = ticker.nanos() - leaderLost < UNAWARE.toNanos();
        if (call.has("stale") || unaware && call.needsNoQuorum()) {
            serve(agent, token, call, caller);
        } else if (unaware) {
            proposed.add(() -> serve(agent, token, call, SimulatedCaller.NOBODY));
            timers.after(
                    COMMIT_FAILS,
                    () -> caller.answered(new SimulatedReply(500, "leadership lost while committing log", 0)));
        } else {
            boolean[] over = {false};
            timers.after(LEADER_AWAITED.plusMillis(random.nextInt(300)), () -> {
                if (!over[0]) {
                    over[0] = true;
                    caller.answered(new SimulatedReply(500, "No cluster leader", 0));
                }
            });
            awaitingLeader.add(() -> {
                if (!over[0]) {
                    over[0] = true;
                    if (listens()) {
                        serve(agent, token, call, caller);
                    } else {
                        caller.cut();
                    }
                }
            });
        }
    }

    void loseQuorum() {
        if (leader) {
            leader = false;
            leaderLost = ticker.nanos();
            log.expiry.forget();
        }
    }

    void elect(LockDelays delays) {
        leader = true;
        log.delays.apply(delays);
        log.expiry.restart();
        drain(proposed);
        drain(awaitingLeader);
    }

    void freeze() {
        if (process == Process.RUNNING) {
            process = Process.FROZEN;
            log.expiry.suspend();
        }
    }

    /** Whether a timer that is overdue or a request that waits comes first, is chance. */
    void thaw() {
        if (process != Process.FROZEN) {
            return;
        }
        process = Process.RUNNING;
        boolean timersFirst = random.nextBoolean();
        if (timersFirst) {
            log.expiry.resume();
        }
        drain(queue);
        if (!timersFirst) {
            log.expiry.resume();
        }
    }

    void stop() {
        process = Process.STOPPED;
        log.expiry.forget();
        log.watches.cutAll();
        proposed.clear();
        drain(queue);
        drain(awaitingLeader);
    }

    void start(LockDelays delays) {
        if (process == Process.STOPPED) {
            process = Process.RUNNING;
            log.expiry.resume();
            elect(delays);
        }
    }

    private static void drain(List<Runnable> waiting) {
        List<Runnable> now = List.copyOf(waiting);
        waiting.clear();
        now.forEach(Runnable::run);
    }
}
