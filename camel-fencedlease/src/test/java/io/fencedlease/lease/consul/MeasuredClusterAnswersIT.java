package io.fencedlease.lease.consul;

import io.fencedlease.faults.NeedsConsul;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Three real servers. */
@NeedsConsul
class MeasuredClusterAnswersIT extends MeasuredClusterAnswers {

    private static AnsweringServers consul;

    @BeforeAll
    static void start() {
        consul = new AnsweringServers();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @Override
    AnsweringCluster consul() {
        return consul;
    }
}
