package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.BackendRefusedException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The mark of a lease in Consul: the tenure that was published last.
 *
 * @param index the key's {@code ModifyIndex}: as long as it stays, nobody published
 */
public record ConsulMark(long token, String nonce, long index) {

    /** Whether token and nonce are this tenure's. */
    public boolean isOf(Tenure tenure) {
        return token == tenure.token().value() && nonce.equals(tenure.nonce());
    }

    /** Without the nonce: who knows it can forge the tenure towards a receiver. */
    @Override
    public String toString() {
        return "mark of token " + token;
    }

    static String text(Tenure tenure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("token", tenure.token().value());
        fields.put("nonce", tenure.nonce());
        return ConsulJson.write(fields);
    }

    /** @throws BackendRefusedException if somebody wrote what is no mark: it may hide a higher one */
    static ConsulMark of(JsonNode entry) {
        JsonNode value = ConsulJson.read(ConsulJson.valueOf(entry));
        JsonNode token = value.path("token");
        String nonce = value.path("nonce").asText("");
        if (!token.isIntegralNumber() || !token.canConvertToLong() || token.asLong() <= 0 || nonce.isEmpty()) {
            throw new BackendRefusedException("key " + entry.path("Key").asText()
                    + " refused, given: what is no mark, allowed: {\"token\":number above 0,\"nonce\":\"text\"}; delete it only if you know the lease's"
                    + " highest token, and pass that to openGeneration");
        }
        return new ConsulMark(token.asLong(), nonce, entry.path("ModifyIndex").asLong());
    }
}
