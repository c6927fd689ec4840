package io.fencedlease.examples.failover;

import io.fencedlease.examples.failover.NodeMessage.Kind;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.LeaseReport.State;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks at what the component reports of its lease, and tells when it changes. */
final class LeaseStates {

    private static final int EVERY_MILLIS = 50;

    private final Supplier<List<LeaseReport>> reports;
    private final Consumer<NodeMessage> tell;
    private long token;
    private boolean waiting;

    LeaseStates(Supplier<List<LeaseReport>> reports, Consumer<NodeMessage> tell) {
        this.reports = reports;
        this.tell = tell;
    }

    void start() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "demo-lease-states");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    void look() {
        List<LeaseReport> current = reports.get();
        // a component that was stopped reports nothing any more
        changed(current.isEmpty() ? Optional.empty() : Optional.of(current.get(0)));
    }

    private void changed(Optional<LeaseReport> report) {
        long now = report.filter(r -> r.state() == State.HOLDING)
                .flatMap(LeaseReport::tenure)
                .map(tenure -> tenure.token().value())
                .orElse(0L);
        if (token != 0 && now != token) {
            tell.accept(new NodeMessage(Kind.LOST, token, "holds the lease no longer"));
        }
        token = now;
        boolean waits = report.filter(r -> r.state() == State.WAITING).isPresent();
        if (waits && !waiting) {
            String elsewhere = report.flatMap(LeaseReport::holder)
                    .map(h -> ", held by " + h)
                    .orElse("");
            tell.accept(new NodeMessage(Kind.WAITING, 0, "competes for the lease" + elsewhere));
        }
        waiting = waits;
    }
}
