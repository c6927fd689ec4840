package io.fencedlease.fence.consul;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.consul.ConsulSettings;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.util.List;

/**
 * Single writes through a {@link ConsulFence}, to any key but those that leases are made of. Thread-safe; blocks.
 *
 * <p>All of them throw {@link FencedOutException} if the lock or the mark is not the tenure's, {@link
 * IllegalArgumentException} for a key of the leases, and {@link BackendUnavailableException} if no answer came: then it may
 * have been written, or may yet be.
 */
public final class KvWrites {

    private final ConsulFence fence;

    public KvWrites(ConsulFence fence) {
        this.fence = fence;
    }

    /**
     * Whether this is how the lease's Consul is reached: one of its addresses, and the same datacenter.
     *
     * @param datacenter empty for the agent's own
     */
    public boolean areAt(String url, String datacenter) {
        ConsulSettings settings = fence.backend.settings();
        String asked = url.endsWith("/") ? url : url + "/";
        return datacenter.equals(settings.datacenter())
                && settings.addresses().stream().anyMatch(address -> asked.equals(address + "/"));
    }

    /** Where the lease's Consul is, for people. */
    public String place() {
        ConsulSettings settings = fence.backend.settings();
        return settings.addresses() + (settings.datacenter().isEmpty() ? "" : ", datacenter " + settings.datacenter());
    }

    public void put(Tenure tenure, String key, String value, long flags) {
        refuse(key, fence.consul.reserved(key));
        fence.commit(tenure, List.of(KvOperation.set(key, value, flags)));
    }

    /**
     * Writes a key if it is still as it was.
     *
     * @param index its {@code ModifyIndex}; 0 if it must not exist
     * @return false if it is another by now; nothing was written
     */
    public boolean putIf(Tenure tenure, String key, String value, long flags, long index) {
        refuse(key, fence.consul.reserved(key));
        return fence.commit(tenure, List.of(KvOperation.setIf(key, value, flags, index)));
    }

    /** Deletes a key; also one that is not there. */
    public void delete(Tenure tenure, String key) {
        refuse(key, fence.consul.reserved(key));
        fence.commit(tenure, List.of(KvOperation.delete(key)));
    }

    /** Deletes all keys that begin so. */
    public void deleteTree(Tenure tenure, String prefix) {
        refuse(prefix, fence.consul.reservedTree(prefix));
        fence.commit(tenure, List.of(KvOperation.deleteTree(prefix)));
    }

    private static void refuse(String key, boolean reserved) {
        if (reserved) {
            throw new IllegalArgumentException("key '" + key + "' is refused: leases are kept there");
        }
    }
}
