package io.fencedlease.fence.consul;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.HashedKey;
import io.fencedlease.fence.KeyEntry;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.consul.KvEntry;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.consul.KvTransactions;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * {@link FencedKeys} in Consul, one key for each below a prefix of their own: below that of the leases each write would wake
 * every node. Each operation is a read and, if it changes something, a write on condition that the entry is still the one
 * read; both are transactions that check the tenure.
 */
public final class KvKeys implements FencedKeys {

    /** What keys begin with, where nothing else is given. */
    public static final String DEFAULT_PREFIX = "fencedlease-keys";

    private static final Pattern PREFIX = Pattern.compile("(?!.*[.][.])[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ConsulFence fence;
    private final KvTransactions consul;
    private final String folder;
    private final Ticker ticker;

    /**
     * @param prefix segments of A-Z a-z 0-9 _ . - joined by single /; not below the leases' prefix
     * @param limit how long one call to Consul may take
     * @throws SettingRefusedException if the lease is not kept in Consul, or the prefix is not of that form
     */
    public KvKeys(
            LeaseName lease, String repository, LeaseBackend backend, String prefix, Duration limit, Ticker ticker) {
        this.fence = new ConsulFence(lease, backend, limit);
        this.consul = fence.consul;
        this.ticker = ticker;
        this.folder = prefix + "/" + lease + "/" + repository + "/";
        if (!PREFIX.matcher(prefix).matches() || consul.reserved(folder)) {
            throw new SettingRefusedException(
                    lease.value(),
                    "keyPrefix",
                    "'" + prefix + "'",
                    "segments of A-Z a-z 0-9 _ . - joined by single /, outside of the leases' own prefix, whose every"
                            + " change wakes all nodes");
        }
    }

    @Override
    public String resource() {
        return "repository in Consul's keys " + folder;
    }

    @Override
    public Fence fence() {
        return fence;
    }

    /** Nothing to make: keys come with their first write. */
    @Override
    public void prepare() {}

    @Override
    public Found add(Tenure tenure, String key) {
        return put(tenure, new HashedKey(key), false);
    }

    @Override
    public Found addConfirmed(Tenure tenure, String key) {
        Found found = put(tenure, new HashedKey(key), true);
        if (found == Found.OURS) {
            confirm(tenure, key);
        }
        return found;
    }

    @Override
    public boolean contains(Tenure tenure, String key) {
        return find(tenure, new HashedKey(key))
                .filter(entry -> entry.confirmed() || entry.isOf(tenure, resource()))
                .isPresent();
    }

    @Override
    public boolean confirm(Tenure tenure, String key) {
        HashedKey own = new HashedKey(key);
        return changeOwn(tenure, own, entry -> write(tenure, own, true, entry.version()));
    }

    @Override
    public boolean remove(Tenure tenure, String key) {
        HashedKey own = new HashedKey(key);
        return changeOwn(tenure, own, entry -> KvOperation.deleteIf(path(own), entry.version()));
    }

    @Override
    public long cleanup(Duration age) {
        long before = ticker.wallMillis() - age.toMillis();
        List<KvOperation> old = new ArrayList<>();
        for (KvEntry entry : ConsulFence.await(consul.below(folder))) {
            Value read = Value.of(entry);
            if (read.confirmed() && read.confirmedAt() < before) {
                old.add(KvOperation.deleteIf(entry.key(), entry.index()));
            }
        }
        long gone = 0;
        for (int from = 0; from < old.size(); from += KvTransactions.MOST) {
            List<KvOperation> some = old.subList(from, Math.min(old.size(), from + KvTransactions.MOST));
            // all or none: where another node cleans up as well, the next time will do
            if (ConsulFence.await(consul.commitUnguarded(some)) == KvTransactions.Outcome.WRITTEN) {
                gone += some.size();
            }
        }
        return gone;
    }

    private Found put(Tenure tenure, HashedKey key, boolean done) {
        return KeyEntry.claim(tenure, resource(), attempt -> find(tenure, key), found -> {
            long version = found.map(KeyEntry::version).orElse(0L);
            return fence.commit(tenure, List.of(write(tenure, key, done, version)));
        });
    }

    /** Changes an unconfirmed entry of this tenure, or nothing. */
    private boolean changeOwn(Tenure tenure, HashedKey key, Function<KeyEntry, KvOperation> change) {
        return KeyEntry.change(
                tenure,
                resource(),
                attempt -> find(tenure, key),
                entry -> fence.commit(tenure, List.of(change.apply(entry))));
    }

    private Optional<KeyEntry> find(Tenure tenure, HashedKey key) {
        return fence.look(tenure, path(key)).entry().map(entry -> Value.of(entry)
                .entry(entry.index()));
    }

    private String path(HashedKey key) {
        return folder + key.hash();
    }

    private KvOperation write(Tenure tenure, HashedKey key, boolean done, long version) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("token", tenure.token().value());
        fields.put("confirmed", done);
        fields.put("confirmedAt", done ? ticker.wallMillis() : 0);
        fields.put("key", key.shown());
        try {
            return KvOperation.setIf(path(key), JSON.writeValueAsString(fields), 0, version);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private record Value(long token, boolean confirmed, long confirmedAt) {

        /** What is no entry of ours counts as one of the latest tenure: nobody takes it over. */
        static Value of(KvEntry read) {
            JsonNode value;
            try {
                value = JSON.readTree(read.value());
            } catch (JsonProcessingException notOurs) {
                value = JSON.missingNode();
            }
            JsonNode token = value.path("token");
            boolean ours = token.isIntegralNumber() && token.canConvertToLong() && token.asLong() > 0;
            return new Value(
                    ours ? token.asLong() : Long.MAX_VALUE,
                    ours && value.path("confirmed").asBoolean(false),
                    value.path("confirmedAt").asLong(0));
        }

        KeyEntry entry(long index) {
            return new KeyEntry(token, confirmed, index);
        }
    }
}
