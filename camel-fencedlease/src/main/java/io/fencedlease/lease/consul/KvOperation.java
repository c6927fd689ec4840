package io.fencedlease.lease.consul;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One change of a key, or of all keys below a prefix, as a part of a {@link KvTransactions transaction}. Immutable. */
public record KvOperation(
        String verb,
        String key,
        @Nullable String value,
        long flags,
        @Nullable Long index) {

    public static KvOperation set(String key, String value, long flags) {
        return new KvOperation("set", key, value, flags, null);
    }

    /** @param index the key's {@code ModifyIndex} that it depends on; 0 if the key must not exist */
    public static KvOperation setIf(String key, String value, long flags, long index) {
        return new KvOperation("cas", key, value, flags, index);
    }

    public static KvOperation delete(String key) {
        return new KvOperation("delete", key, null, 0, null);
    }

    /** @param index the key's {@code ModifyIndex} that it depends on */
    public static KvOperation deleteIf(String key, long index) {
        return new KvOperation("delete-cas", key, null, 0, index);
    }

    public static KvOperation deleteTree(String prefix) {
        return new KvOperation("delete-tree", prefix, null, 0, null);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("Verb", verb);
        fields.put("Key", key);
        if (value != null) {
            fields.put("Value", ConsulJson.toBase64(value));
            fields.put("Flags", flags);
        }
        if (index != null) {
            fields.put("Index", index);
        }
        return fields;
    }
}
