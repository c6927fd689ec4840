package io.fencedlease.lease.consul;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link MeasuredAnswers}, of three servers. In this order: the last row leaves another cluster behind. */
abstract class MeasuredClusterAnswers {

    abstract AnsweringCluster consul();

    @ParameterizedTest
    @EnumSource
    void answersAsMeasured(ClusterRows row) {
        row.playOn(consul());
    }
}
