package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What came back, of whatever status.
 *
 * @param index {@code X-Consul-Index}; 0 if there is none, and then it need not be Consul who answered
 */
record ConsulAnswer(int status, String body, long index, JsonNode json) {

    private static final int SHOWN = 200;

    ConsulAnswer(int status, String body, long index) {
        this(status, body, index, ConsulJson.read(body));
    }

    /** Status and the beginning of the body, on one line. */
    @Override
    public String toString() {
        String text = body.strip().replaceAll("\\s+", " ");
        return status
                + (text.isEmpty()
                        ? " (empty)"
                        : " " + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text));
    }
}
