package io.fencedlease.chaos;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.camel.FencedLeaseRoutePolicy;
import io.fencedlease.camel.TenureProbe;
import io.fencedlease.chaos.NodeLine.Kind;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.LossReason;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * One node: a JVM with leased routes for each lease it is told, one for each sink, which write all the time. Its journal goes to standard
 * output. Ends in order on SIGTERM, and at once when its standard input ends.
 */
public final class ChaosNode {

    /** Short, but with attempts that a loaded machine can answer in. */
    static final LeaseSettings TIMES = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(4))
            .renewalInterval(Duration.ofMillis(600))
            .attemptLimit(Duration.ofMillis(700))
            .lossStopTimeout(Duration.ofMillis(1000))
            .lockDelay(Duration.ofMillis(2300))
            .build();

    /** A second session beside the others', for leases whose name ends so. */
    static final String APART = "-apart";

    private static final int PERIOD_MILLIS = 200;

    private final String node = System.getProperty("chaos.node");
    private final String life = System.getProperty("chaos.life");
    private final List<ChaosSink> sinks = ChaosSink.all(System.getProperty("chaos.sink"));
    private final AtomicLong attempts = new AtomicLong();
    private final Map<Tenure, Work> known = new ConcurrentHashMap<>();

    private ChaosNode() {}

    /** Settings are system properties: see {@link NodeProcess}. */
    public static void main(String[] args) throws Exception {
        new ChaosNode().run();
    }

    private void run() throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        context.getCamelContextExtension().setName(node);
        context.getShutdownStrategy().setTimeout(10);
        context.addComponent("fencedlease", component());
        for (ChaosSink sink : sinks) {
            sink.prepare(context);
            for (String lease : System.getProperty("chaos.leases").split(",")) {
                context.addRoutes(route(lease, sink));
            }
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(context), "chaos-stop"));
        context.start();
        while (System.in.read() >= 0) {
            // nothing is ever sent; the end is what counts
        }
        Runtime.getRuntime().halt(3);
    }

    /** Waits for the last words: callbacks of a loss run on workers. */
    private void stop(DefaultCamelContext context) {
        context.stop();
        CompletableFuture<?>[] losses =
                known.values().stream().map(work -> work.said).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(losses)
                .completeOnTimeout(null, 10, TimeUnit.SECONDS)
                .join();
    }

    private FencedLeaseComponent component() {
        FencedLeaseComponent component = new FencedLeaseComponent();
        component.getConfiguration().setConsulUrl(System.getProperty("chaos.consul"));
        component.getConfiguration().setHolder(node + "." + life);
        component.getConfiguration().setRaiseTimeout(1000);
        component.setTtl(TIMES.ttl().toMillis());
        component.setRenewalInterval(TIMES.renewalInterval().toMillis());
        component.setAttemptLimit(TIMES.attemptLimit().toMillis());
        component.setLossStopTimeout(TIMES.lossStopTimeout().toMillis());
        component.setLockDelay(TIMES.lockDelay().toMillis());
        return component;
    }

    private RouteBuilder route(String lease, ChaosSink sink) {
        String id = lease + "." + sink.resource();
        String timer = "timer:" + id + "?delay=0&period=" + PERIOD_MILLIS;
        return new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                RouteDefinition route = lease.endsWith(APART)
                        ? from(timer).routePolicy(apart(lease))
                        : from("fencedlease:" + lease + ":" + timer);
                sink.write(route.routeId(id).process(e -> begin(e, sink)), lease, node);
            }
        };
    }

    private static FencedLeaseRoutePolicy apart(String lease) {
        FencedLeaseRoutePolicy policy = new FencedLeaseRoutePolicy(lease);
        policy.setOptions(Map.of("ttl", TIMES.ttl().plusMillis(500).toMillis()));
        return policy;
    }

    private void begin(Exchange exchange, ChaosSink sink) {
        Lease lease = TenureProbe.lease(exchange);
        Work work = known.computeIfAbsent(lease.tenure(), tenure -> new Work(lease));
        String attempt = String.join(".", node, life, Long.toString(attempts.incrementAndGet()), sink.resource());
        exchange.getMessage().setHeader(ChaosSink.ATTEMPT, attempt);
        work.begin();
        exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
            @Override
            public void onComplete(Exchange done) {
                say(Kind.WROTE, lease.tenure(), attempt, "");
                work.end();
            }

            @Override
            public void onFailure(Exchange failed) {
                Throwable why = failed.getException();
                boolean refused = why instanceof FencedOutException;
                Throwable shown =
                        refused ? Arrays.stream(why.getSuppressed()).findFirst().orElse(null) : why;
                String text = shown == null ? "" : shown.getClass().getSimpleName();
                say(refused ? Kind.REFUSED : Kind.FAILED, lease.tenure(), attempt, text);
                work.end();
            }
        });
    }

    /** A tenure of this node, and how many of its exchanges are under way. */
    private static final class Work {

        final CompletableFuture<Void> said = new CompletableFuture<>();
        private final Tenure tenure;
        private int underWay;
        private boolean lost;

        Work(Lease lease) {
            tenure = lease.tenure();
            say(Kind.TENURE, tenure, "", tenure.nonce());
            lease.lost().thenAccept(this::lost);
        }

        synchronized void begin() {
            underWay++;
        }

        synchronized void end() {
            underWay--;
            sayIfEmpty();
        }

        private synchronized void lost(LossReason why) {
            say(Kind.LOST, tenure, "", why.kind().name());
            lost = true;
            sayIfEmpty();
        }

        private void sayIfEmpty() {
            if (lost && underWay == 0 && !said.isDone()) {
                say(Kind.EMPTY, tenure, "", "");
                said.complete(null);
            }
        }
    }

    private static void say(Kind kind, Tenure tenure, String attempt, String text) {
        String lease = tenure.lease().value();
        System.out.println(
                new NodeLine(kind, System.nanoTime(), lease, tenure.token().value(), attempt, text).line());
    }
}
