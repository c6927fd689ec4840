package io.fencedlease.faults;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.lease.LeaseSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** A JVM of its own in which a context for each lease, with a session of its own, runs a leased route. Dies with this JVM. */
final class LeasedProcess implements AutoCloseable {

    static final LeaseSettings TIMES = LeaseSettings.builder("*")
            .ttl(Duration.ofSeconds(3))
            .renewalInterval(Duration.ofMillis(700))
            .attemptLimit(Duration.ofMillis(600))
            .lossStopTimeout(Duration.ofMillis(400))
            .lockDelay(Duration.ofMillis(1800))
            .build();

    /** How long each exchange takes, in milliseconds. */
    private static final String WORK = "leased.work";

    private final Process process;
    private final Thread reaper;
    private final Set<String> lines = ConcurrentHashMap.newKeySet();

    /** A process with these leases; each exchange of theirs takes so long. */
    LeasedProcess(String consulUrl, Duration work, List<String> leases) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-D" + WORK + "=" + work.toMillis(),
                "-cp",
                System.getProperty("java.class.path"),
                LeasedProcess.class.getName(),
                consulUrl));
        command.addAll(leases);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        reaper = new Thread(process::destroyForcibly, "leased-process-reaper");
        Runtime.getRuntime().addShutdownHook(reaper);
        Thread reader = new Thread(this::read, "leased-process-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader in = process.inputReader()) {
            in.lines().forEach(lines::add);
        } catch (IOException | RuntimeException ended) {
            // its exit is what counts
        }
    }

    /** The leases under which something has run, once each. */
    Set<String> ran() {
        return lines;
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Runtime.getRuntime().removeShutdownHook(reaper);
    }

    /** Runs until its input ends, then stops its contexts, and leaves the rest to the JVM. */
    public static void main(String[] args) throws Exception {
        List<DefaultCamelContext> contexts = new ArrayList<>();
        for (String lease : List.of(args).subList(1, args.length)) {
            contexts.add(start(args[0], List.of(lease), Integer.getInteger(WORK), System.out::println));
        }
        while (System.in.read() >= 0) {
            // nothing is ever sent
        }
        contexts.forEach(DefaultCamelContext::stop);
    }

    /** A context with these leases in one session, that tells once of each when its route first runs. */
    static DefaultCamelContext start(String consulUrl, List<String> leases, int work, Consumer<String> firstRun)
            throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        context.getShutdownStrategy().setTimeout(10);
        FencedLeaseComponent component = new FencedLeaseComponent();
        component.getConfiguration().setConsulUrl(consulUrl);
        component.setTtl(TIMES.ttl().toMillis());
        component.setRenewalInterval(TIMES.renewalInterval().toMillis());
        component.setAttemptLimit(TIMES.attemptLimit().toMillis());
        component.setLossStopTimeout(TIMES.lossStopTimeout().toMillis());
        component.setLockDelay(TIMES.lockDelay().toMillis());
        context.addComponent("fencedlease", component);
        Set<String> ran = ConcurrentHashMap.newKeySet();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                for (String lease : leases) {
                    from("fencedlease:" + lease + ":" + ConsulNode.TIMER)
                            .process(exchange -> {
                                if (ran.add(lease)) {
                                    firstRun.accept(lease);
                                }
                            })
                            .delay(work)
                            .syncDelayed();
                }
            }
        });
        context.start();
        return context;
    }
}
