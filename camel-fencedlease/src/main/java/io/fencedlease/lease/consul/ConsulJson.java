package io.fencedlease.lease.consul;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** JSON as Consul speaks it. */
final class ConsulJson {

    private static final ObjectMapper JSON = new ObjectMapper();

    private ConsulJson() {}

    static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** What is no JSON is a missing node, which has no fields. */
    static JsonNode read(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null ? MissingNode.getInstance() : node;
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    static String toBase64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The value of an entry; empty where Consul shows null. */
    static String valueOf(JsonNode entry) {
        return new String(Base64.getDecoder().decode(entry.path("Value").asText("")), StandardCharsets.UTF_8);
    }
}
