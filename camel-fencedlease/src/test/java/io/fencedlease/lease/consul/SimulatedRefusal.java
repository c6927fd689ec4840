package io.fencedlease.lease.consul;

/** Why a request is not carried out: its status, and Consul's words for it. */
final class SimulatedRefusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int status;
    /** Said by the leader: an agent that passes it on puts something before it. */
    final boolean byLeader;

    private SimulatedRefusal(int status, boolean byLeader, String text) {
        super(text, null, false, false);
        this.status = status;
        this.byLeader = byLeader;
    }

    /** The request itself is wrong, which any agent sees. */
    static SimulatedRefusal malformed(int status, String text) {
        return new SimulatedRefusal(status, false, text);
    }

    /** The leader cannot, in this state. */
    static SimulatedRefusal failed(String text) {
        return new SimulatedRefusal(500, true, text);
    }

    static SimulatedRefusal denied() {
        return new SimulatedRefusal(403, true, "Permission denied");
    }

    static SimulatedRefusal unknownToken() {
        return new SimulatedRefusal(403, true, "ACL not found");
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
