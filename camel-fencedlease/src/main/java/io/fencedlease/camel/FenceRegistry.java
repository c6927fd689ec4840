package io.fencedlease.camel;

import io.fencedlease.fence.Fence;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Leases;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The fences of one context: one object for each lease and resource, however many producers write there, as long as
 * somebody has it. Thread-safe.
 */
final class FenceRegistry {

    private final Leases leases;
    private final Map<Key, WeakReference<Fence>> fences = new HashMap<>();
    private final Map<Fence, BoundFence> bound = new IdentityHashMap<>();
    private final Map<BoundFence, Integer> users = new HashMap<>();

    private record Key(LeaseName lease, Object resource) {}

    FenceRegistry(Leases leases) {
        this.leases = leases;
    }

    synchronized <F extends Fence> F shared(LeaseName lease, Object resource, Class<F> type, Supplier<F> maker) {
        fences.values().removeIf(known -> known.get() == null);
        Key key = new Key(lease, resource);
        WeakReference<Fence> known = fences.get(key);
        Fence fence = known == null ? null : known.get();
        if (fence == null) {
            fence = maker.get();
            fences.put(key, new WeakReference<>(fence));
        }
        return type.cast(fence);
    }

    synchronized int size() {
        return fences.size();
    }

    synchronized int bound() {
        return bound.size();
    }

    /**
     * Binds a fence to a lease for one more user: raised with each tenure from now on.
     *
     * @param required whether no tenure may begin without it
     */
    synchronized BoundFence bind(LeaseName lease, Fence fence, BooleanSupplier required) {
        BoundFence binding = bound.computeIfAbsent(fence, f -> new BoundFence(leases, lease, f, required));
        users.merge(binding, 1, Integer::sum);
        return binding;
    }

    /** One user less; the last one, which is told so, takes the binding with it. */
    synchronized boolean release(BoundFence binding) {
        boolean last = users.merge(binding, -1, Integer::sum) == 0;
        if (last) {
            users.remove(binding);
            bound.values().remove(binding);
            binding.unbind();
        }
        return last;
    }
}
