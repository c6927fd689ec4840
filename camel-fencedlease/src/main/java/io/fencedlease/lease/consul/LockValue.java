package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a lock's value says: which acquisition it was, and who, for people. Equal values give equal text, so that a
 * repeated acquire changes nothing.
 */
record LockValue(String nonce, String holder) {

    String text() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("nonce", nonce);
        fields.put("holder", holder);
        return ConsulJson.write(fields);
    }

    /** A value that is not ours reads as two empty texts. */
    static LockValue of(JsonNode entry) {
        JsonNode value = ConsulJson.read(ConsulJson.valueOf(entry));
        return new LockValue(
                value.path("nonce").asText(""), value.path("holder").asText(""));
    }
}
