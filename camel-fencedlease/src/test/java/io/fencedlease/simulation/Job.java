package io.fencedlease.simulation;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseLostException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker.Tick;
import io.fencedlease.simulation.History.Kind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Leased work of one process, as routes do it: raise, write while held, stop after a loss, give back, ask again. Now and
 * then it stops as planned, stands down, or gives up waiting.
 */
final class Job {

    private static final long ATTEMPT = 3 * Nemesis.SECOND;
    private static final long LOOK = 150 * Nemesis.MILLI;

    private final World world;
    private final Nemesis nemesis;
    private final SimProcess process;
    private final Leases leases;
    private final LeaseName name;
    private final List<Resource> resources;
    private final Link toResources;
    private final long pace;
    private final boolean watchful;
    private boolean over;
    private @Nullable Run run;
    private @Nullable CompletableFuture<Lease> asked;

    Job(World world, Nemesis nemesis, SimProcess process, Leases leases, LeaseName name, List<Resource> resources) {
        this.world = world;
        this.nemesis = nemesis;
        this.process = process;
        this.leases = leases;
        this.name = name;
        this.resources = resources;
        this.toResources = new Link(world, nemesis, process, "resource");
        this.watchful = nemesis.chance(0.25);
        this.pace = Nemesis.SECOND / 2 + nemesis.upTo(2 * Nemesis.SECOND);
        resources.forEach(resource -> leases.onRaise(name, tenure -> raise(resource, tenure)));
    }

    /** On a worker, which blocks. */
    private void raise(Resource resource, Tenure tenure) throws Exception {
        process.weakPoint();
        tell(Kind.RAISE_BEGUN, tenure, resource.name);
        CompletableFuture<Boolean> done = toResources.carry(() -> resource.raise(process.node(), tenure));
        process.await(done, ATTEMPT);
        if (!done.isDone()) {
            tell(Kind.RAISE_FAILED, tenure, resource.name);
            throw new IOException("no answer of " + resource.name);
        }
        try {
            done.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RaiseRefusedException refused ? refused : new IOException(failed);
        }
    }

    void ask() {
        if (over) {
            return;
        }
        world.history.add(world.now(), Kind.ASKED, process.node(), name.value(), "");
        CompletableFuture<Lease> future = leases.acquire(name);
        asked = future;
        future.whenComplete((lease, error) -> {
            if (error == null) {
                run = new Run(lease);
                run.begin();
            } else {
                again();
            }
        });
        if (nemesis.chance(nemesis.isOver() ? 0 : 0.05)) {
            process.others(nemesis.someLength(), () -> withdraw(future)); // without effect if it is held by then
        }
    }

    private void again() {
        process.others(nemesis.upTo(Nemesis.SECOND), this::ask);
    }

    /** Stops as planned, and asks for no other tenure. */
    void finish() {
        over = true;
        if (run != null) {
            run.plannedStop();
        }
        if (asked != null) {
            withdraw(asked);
        }
    }

    private void withdraw(CompletableFuture<Lease> future) {
        if (!future.isDone()) {
            world.history.add(world.now(), Kind.WITHDRAWN, process.node(), name.value(), "");
            future.cancel(false);
        }
    }

    /** Stops as planned, and asks again. */
    void handOver() {
        if (run != null) {
            run.plannedStop();
        }
    }

    boolean holds() {
        return run != null && !run.ending;
    }

    private void tell(Kind kind, Tenure tenure, String what) {
        world.history.add(world.now(), kind, process.node(), tenure, what);
    }

    /** One tenure at work. */
    private final class Run {

        private final Lease lease;
        private boolean ending;
        private boolean closed;
        private int inFlight;

        Run(Lease lease) {
            this.lease = lease;
        }

        void begin() {
            tell(Kind.GAINED, lease.tenure(), "");
            lease.lost().thenAccept(reason -> {
                tell(Kind.LOST, lease.tenure(), reason.kind().name());
                process.others(nemesis.threadDelay(), this::stopAfterLoss);
            });
            if (over) {
                plannedStop();
                return;
            }
            process.others(nemesis.upTo(100 * Nemesis.MILLI), this::work);
            if (watchful) {
                process.others(LOOK, this::look);
            }
            if (!nemesis.isOver() && nemesis.chance(0.3)) {
                process.others(
                        nemesis.upTo(60 * Nemesis.SECOND), nemesis.chance(0.7) ? this::plannedStop : this::standDown);
            }
        }

        /** One exchange. */
        private void work() {
            if (ending || !believed()) {
                return;
            }
            process.weakPoint();
            for (Resource resource : resources) {
                write(resource);
            }
            process.others(pace, this::work);
        }

        private boolean believed() {
            long from = world.now();
            Tick clocks = process.machine.clocks();
            try {
                lease.ensureHeld();
            } catch (LeaseLostException lost) {
                return false;
            }
            world.history.add(from, from, Kind.BELIEVED, process.node(), lease.tenure(), "", clocks);
            return true;
        }

        /** As every step of an exchange does, so that belief is met also shortly after it should have ended. */
        private void look() {
            if (!ending && believed()) {
                process.others(LOOK, this::look);
            }
        }

        private void write(Resource resource) {
            CompletableFuture<Boolean> done = toResources.carry(() -> resource.write(process.node(), lease.tenure()));
            boolean[] left = {false};
            inFlight++;
            Runnable leave = () -> {
                if (!left[0]) {
                    left[0] = true;
                    inFlight--;
                    stopped();
                }
            };
            done.whenComplete((accepted, error) -> {
                leave.run();
                if (error == null && !accepted) {
                    lease.confirm();
                }
            });
            process.others(ATTEMPT, leave);
        }

        void standDown() {
            if (!ending) {
                ending = true;
                lease.standDown("for no reason");
                process.others(nemesis.someLength(), this::stopped);
            }
        }

        void plannedStop() {
            if (!ending) {
                ending = true;
                tell(Kind.PLANNED, lease.tenure(), "");
                process.others(nemesis.upTo(200 * Nemesis.MILLI), this::stopped);
            }
        }

        private void stopAfterLoss() {
            if (!ending) {
                ending = true;
                tell(Kind.STOP_TOLD, lease.tenure(), "");
                long hangs = nemesis.isOver() || nemesis.chance(0.8)
                        ? Nemesis.SECOND
                        : nemesis.duringFaults(60 * Nemesis.SECOND);
                process.others(nemesis.upTo(hangs), this::stopped);
            }
        }

        /** Gives back once nothing of it is left. */
        private void stopped() {
            if (!ending || closed || inFlight > 0) {
                return;
            }
            closed = true;
            run = null;
            tell(Kind.STOPPED, lease.tenure(), "");
            boolean askFirst = nemesis.chance(0.3);
            if (askFirst) {
                ask();
            }
            tell(Kind.CLOSED, lease.tenure(), "");
            lease.close();
            if (!askFirst) {
                again();
            }
        }
    }
}
