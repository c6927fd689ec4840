package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers;
import io.fencedlease.lease.Timers.Pending;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A node's way to a {@link SimulatedServer}. Answers come, and limits end, on the node's own timers. */
final class SimulatedTransport implements ConsulTransport {

    private final SimulatedServer server;
    private final SimulatedServer.Agent agent;
    private final String client;
    private final String token;
    private final Timers world;
    private final Timers node;
    private final Fate.Fates fates;
    private final Set<CompletableFuture<?>> open = new LinkedHashSet<>();
    private boolean closed;

    SimulatedTransport(
            SimulatedServer server,
            SimulatedServer.Agent agent,
            String client,
            String token,
            Timers world,
            Timers node,
            Fate.Fates fates) {
        this.server = server;
        this.agent = agent;
        this.client = client;
        this.token = token;
        this.world = world;
        this.node = node;
        this.fates = fates;
    }

    @Override
    public CompletableFuture<ConsulAnswer> send(ConsulRequest request, Duration limit) {
        synchronized (server) {
            CompletableFuture<ConsulAnswer> answer = new CompletableFuture<>();
            if (closed) {
                answer.cancel(true);
                return answer;
            }
            open.add(answer);
            answer.whenComplete((value, error) -> forget(answer));
            Fate fate = fates.of(client, describe(request));
            if (fate.refused() || !server.listens()) {
                node.execute(() -> answer.completeExceptionally(new ConnectException()));
                return answer;
            }
            SimulatedCaller caller = new Waiting(answer, fate);
            if (fate.arrivals().isEmpty()) {
                fate.instead().ifPresent(caller::answered);
            }
            for (Duration arrival : fate.arrivals()) {
                SimulatedCaller heard = caller;
                onTheWay(arrival, () -> server.receive(agent, token, request, heard));
                caller = SimulatedCaller.NOBODY;
            }
            return answer;
        }
    }

    private void forget(CompletableFuture<?> answer) {
        synchronized (server) {
            open.remove(answer);
        }
    }

    private static String describe(ConsulRequest request) {
        return request.method() + " " + request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    }

    private void onTheWay(Duration delay, Runnable task) {
        if (delay.isZero()) {
            task.run();
        } else {
            world.after(delay, task);
        }
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        synchronized (server) {
            return node.after(delay, task);
        }
    }

    @Override
    public void close() {
        synchronized (server) {
            closed = true;
            List.copyOf(open).forEach(answer -> answer.cancel(true));
        }
    }

    /** The client, until it gives up. */
    private final class Waiting implements SimulatedCaller {

        private final CompletableFuture<ConsulAnswer> answer;
        private final Fate fate;

        Waiting(CompletableFuture<ConsulAnswer> answer, Fate fate) {
            this.answer = answer;
            this.fate = fate;
        }

        @Override
        public void answered(SimulatedReply reply) {
            if (gone()) {
                return;
            }
            SimulatedReply told = fate.instead().orElse(reply);
            fate.back()
                    .ifPresent(back -> onTheWay(
                            back,
                            () -> node.execute(() ->
                                    answer.complete(new ConsulAnswer(told.status(), told.body(), told.index())))));
        }

        @Override
        public void cut() {
            node.execute(() -> answer.completeExceptionally(new IOException("connection reset")));
        }

        @Override
        public boolean gone() {
            return answer.isDone();
        }
    }
}
