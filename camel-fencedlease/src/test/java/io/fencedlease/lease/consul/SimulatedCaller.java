package io.fencedlease.lease.consul;

/** Who waits for an answer of the {@link SimulatedServer}. */
interface SimulatedCaller {

    SimulatedCaller NOBODY = new SimulatedCaller() {
        @Override
        public void answered(SimulatedReply reply) {}

        @Override
        public void cut() {}

        @Override
        public boolean gone() {
            return true;
        }
    };

    void answered(SimulatedReply reply);

    /** The connection ended without an answer. */
    void cut();

    /** Has given up; nobody would hear an answer. */
    boolean gone();
}
