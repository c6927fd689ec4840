package io.fencedlease.examples.failover;

/** Where a node can be paused so that it hurts. */
enum PausePoint {
    /** The batch is read, the lease was checked, and the first statement of the write is about to be sent. */
    BEFORE_WRITE("between transactions, about to write"),
    /** The write's statement was executed, its transaction is still open. */
    BEFORE_COMMIT("inside its transaction, before the commit");

    private final String words;

    PausePoint(String words) {
        this.words = words;
    }

    /** For people. */
    String words() {
        return words;
    }
}
