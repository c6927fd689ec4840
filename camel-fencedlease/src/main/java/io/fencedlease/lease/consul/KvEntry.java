package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A key with its value, as read.
 *
 * @param index its {@code ModifyIndex}
 */
public record KvEntry(String key, String value, long index) {

    static KvEntry of(JsonNode entry) {
        return new KvEntry(
                entry.path("Key").asText(),
                ConsulJson.valueOf(entry),
                entry.path("ModifyIndex").asLong());
    }
}
