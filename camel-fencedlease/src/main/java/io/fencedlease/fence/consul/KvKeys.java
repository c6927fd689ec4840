package io.fencedlease.fence.consul;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.consul.KvEntry;
import io.fencedlease.lease.consul.KvOperation;
import io.fencedlease.lease.consul.KvTransactions;
import io.fencedlease.lease.spi.LeaseBackend;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final int SHOWN = 255;

    /** An entry changes between read and write only by this tenure's own other exchanges, or late writes of its own. */
    private static final int ATTEMPTS = 50;

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
        return put(tenure, key, false);
    }

    @Override
    public Found addConfirmed(Tenure tenure, String key) {
        Found found = put(tenure, key, true);
        if (found == Found.OURS) {
            confirm(tenure, key);
        }
        return found;
    }

    @Override
    public boolean contains(Tenure tenure, String key) {
        return find(tenure, path(key))
                .filter(entry -> entry.confirmed() || entry.isOf(tenure, this))
                .isPresent();
    }

    @Override
    public boolean confirm(Tenure tenure, String key) {
        return changeOwn(tenure, key, (path, entry) -> write(tenure, key, true, entry.index()));
    }

    @Override
    public boolean remove(Tenure tenure, String key) {
        return changeOwn(tenure, key, (path, entry) -> KvOperation.deleteIf(path, entry.index()));
    }

    @Override
    public long cleanup(Duration age) {
        long before = ticker.wallMillis() - age.toMillis();
        List<KvOperation> old = new ArrayList<>();
        for (KvEntry entry : ConsulFence.await(consul.below(folder))) {
            Entry read = Entry.of(entry);
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

    private Found put(Tenure tenure, String key, boolean done) {
        String path = path(key);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Entry> found = find(tenure, path);
            if (found.isPresent() && found.get().confirmed()) {
                return Found.CONFIRMED;
            }
            if (found.isPresent() && found.get().isOf(tenure, this)) {
                return Found.OURS;
            }
            long index = found.map(Entry::index).orElse(0L);
            if (fence.commit(tenure, List.of(write(tenure, key, done, index)))) {
                return found.isPresent() ? Found.HALF_DONE : Found.NEW;
            }
        }
        throw changesTooOften(tenure);
    }

    @FunctionalInterface
    private interface Change {
        KvOperation of(String path, Entry entry);
    }

    /** Changes an unconfirmed entry of this tenure, or nothing. */
    private boolean changeOwn(Tenure tenure, String key, Change change) {
        String path = path(key);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Entry> found = find(tenure, path)
                    .filter(entry -> !entry.confirmed()
                            && entry.token() == tenure.token().value());
            if (found.isEmpty()) {
                return false;
            }
            if (fence.commit(tenure, List.of(change.of(path, found.get())))) {
                return true;
            }
        }
        throw changesTooOften(tenure);
    }

    private FenceUnavailableException changesTooOften(Tenure tenure) {
        return new FenceUnavailableException(resource() + ": an entry changes faster than " + tenure + " can write it");
    }

    private Optional<Entry> find(Tenure tenure, String path) {
        return fence.look(tenure, path).entry().map(Entry::of);
    }

    private String path(String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return folder + HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    private KvOperation write(Tenure tenure, String key, boolean done, long index) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("token", tenure.token().value());
        fields.put("confirmed", done);
        fields.put("confirmedAt", done ? ticker.wallMillis() : 0);
        fields.put("key", key.substring(0, Math.min(key.length(), SHOWN)));
        try {
            return KvOperation.setIf(path(key), JSON.writeValueAsString(fields), 0, index);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private record Entry(long token, boolean confirmed, long confirmedAt, long index) {

        /** What is no entry of ours counts as one of the latest tenure: nobody takes it over. */
        static Entry of(KvEntry read) {
            JsonNode value;
            try {
                value = JSON.readTree(read.value());
            } catch (JsonProcessingException notOurs) {
                value = JSON.missingNode();
            }
            JsonNode token = value.path("token");
            boolean ours = token.isIntegralNumber() && token.canConvertToLong() && token.asLong() > 0;
            return new Entry(
                    ours ? token.asLong() : Long.MAX_VALUE,
                    ours && value.path("confirmed").asBoolean(false),
                    value.path("confirmedAt").asLong(0),
                    read.index());
        }

        /** @throws FencedOutException if it is of a later tenure: then the mark must have gone backwards */
        boolean isOf(Tenure tenure, KvKeys keys) {
            long own = tenure.token().value();
            if (token > own) {
                throw new FencedOutException(
                        keys.resource(), tenure, token, "in an entry of a later tenure: the mark went backwards");
            }
            return token == own;
        }
    }
}
