package io.fencedlease.lease.consul;

/** A request: path below {@code /v1/}, query without the datacenter, and whether a failure should change the agent. */
record ConsulRequest(String method, String path, String query, String body, boolean movesOn) {

    static ConsulRequest put(String path, String body) {
        return new ConsulRequest("PUT", path, "", body, true);
    }

    static ConsulRequest get(String path, String query) {
        return new ConsulRequest("GET", path, query, "", true);
    }

    /** A long poll: some networks cut them all, which must not drive every other call from agent to agent. */
    static ConsulRequest watch(String path, String query) {
        return new ConsulRequest("GET", path, query, "", false);
    }

    ConsulRequest consistent() {
        return new ConsulRequest(method, path, query.isEmpty() ? "consistent" : query + "&consistent", body, movesOn);
    }
}
