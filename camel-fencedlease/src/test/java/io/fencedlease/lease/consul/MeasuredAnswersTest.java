package io.fencedlease.lease.consul;

/** The simulated Consul, in no time at all. */
class MeasuredAnswersTest extends MeasuredAnswers {

    @Override
    AnsweringConsul consul() {
        return new AnsweringSimulation();
    }
}
