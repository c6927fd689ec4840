package io.fencedlease.lease.consul;

import io.fencedlease.faults.NeedsConsul;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A real Consul. */
@NeedsConsul
class MeasuredAnswersIT extends MeasuredAnswers {

    private static AnsweringProcess consul;

    @BeforeAll
    static void start() {
        consul = new AnsweringProcess();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @Override
    AnsweringConsul consul() {
        return consul;
    }
}
