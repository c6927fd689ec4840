package io.fencedlease.lease.consul;

import java.time.Duration;

/** The simulated Consul. */
class MeasuredClusterAnswersTest extends MeasuredClusterAnswers {

    @Override
    AnsweringCluster consul() {
        return new Simulation();
    }

    private static final class Simulation extends AnsweringSimulation implements AnsweringCluster {

        private SimulatedConsul.Snapshot snapshot = consul.snapshot();

        Simulation() {
            consul.asksFollower("client");
        }

        @Override
        public boolean asksLeader() {
            return false;
        }

        @Override
        public void killLeader() {
            consul.loseQuorum();
            time.advance(Duration.ofSeconds(3));
            consul.elect(LockDelays.KEPT);
        }

        @Override
        public void loseQuorum() {
            consul.loseQuorum();
        }

        @Override
        public void regainQuorum() {
            consul.elect(LockDelays.KEPT);
        }

        @Override
        public void wipe() {
            consul.wipe();
        }

        @Override
        public void snapshot() {
            snapshot = consul.snapshot();
        }

        @Override
        public void restore() {
            consul.restore(snapshot);
        }
    }
}
