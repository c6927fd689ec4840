package io.fencedlease.simulation;

import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.simulation.History.Kind;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Something that leased work writes to, with a mark; check and write are one step. */
final class Resource {

    final String name;
    private final World world;
    private @Nullable Tenure mark;

    Resource(String name, World world) {
        this.name = name;
        this.world = world;
    }

    CompletableFuture<Boolean> raise(String node, Tenure tenure) {
        Tenure before = mark;
        if (before != null
                && !before.equals(tenure)
                && before.token().value() >= tenure.token().value()) {
            world.history.add(world.now(), Kind.RAISE_REFUSED, node, tenure, name);
            return CompletableFuture.failedFuture(
                    new RaiseRefusedException(name, tenure, before.token().value()));
        }
        mark = tenure;
        world.history.add(world.now(), Kind.RAISED, node, tenure, name);
        return CompletableFuture.completedFuture(true);
    }

    /** False if it was refused. */
    CompletableFuture<Boolean> write(String node, Tenure tenure) {
        boolean good = tenure.equals(mark);
        world.history.add(world.now(), good ? Kind.WRITE_ACCEPTED : Kind.WRITE_REFUSED, node, tenure, name);
        return CompletableFuture.completedFuture(good);
    }
}
