package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The fences of one context: one object for each lease and resource, however many producers write there. Thread-safe. */
final class FenceRegistry {

    private final Leases leases;
    private final Map<Key, Fence> fences = new ConcurrentHashMap<>();
    private final Map<Fence, BoundFence> bound = new IdentityHashMap<>();
    private final Map<BoundFence, Integer> users = new HashMap<>();

    private record Key(LeaseName lease, Object resource) {}

    FenceRegistry(Leases leases) {
        this.leases = leases;
    }

    <F extends Fence> F shared(LeaseName lease, Object resource, Class<F> type, Supplier<F> maker) {
        return type.cast(fences.computeIfAbsent(new Key(lease, resource), key -> maker.get()));
    }

    /** Binds a fence to a lease for one more user: raised with each tenure from now on. */
    synchronized BoundFence bind(LeaseName lease, Fence fence) {
        BoundFence binding = bound.computeIfAbsent(fence, f -> new BoundFence(leases, lease, f));
        users.merge(binding, 1, Integer::sum);
        return binding;
    }

    /** One user less; the last one takes the binding with it. */
    synchronized void release(BoundFence binding) {
        if (users.merge(binding, -1, Integer::sum) == 0) {
            users.remove(binding);
            bound.values().remove(binding);
            binding.unbind();
        }
    }
}
