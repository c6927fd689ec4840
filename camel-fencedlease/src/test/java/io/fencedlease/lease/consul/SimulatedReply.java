package io.fencedlease.lease.consul;

/**
 * An answer of HTTP, before a client has read it.
 *
 * @param index {@code X-Consul-Index}; 0 for none
 */
public record SimulatedReply(int status, String body, long index) {

    static SimulatedReply ok(String body) {
        return new SimulatedReply(200, body, 0);
    }
}
