package io.fencedlease.lease.consul;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Consul answers, measured on 1.8.7: each row is asked from a real Consul and from {@link SimulatedConsul}. Where
 * the two differ, the simulated one is wrong. {@link MeasuredAnswersFailTest} shows that rows can fail.
 */
abstract class MeasuredAnswers {

    abstract AnsweringConsul consul();

    static Stream<Row> rows() {
        return Stream.of(
                        SessionRows.all(),
                        LockRows.all(),
                        TxnRows.all(),
                        ReadRows.all(),
                        WatchRows.all(),
                        RightRows.all(),
                        ServerRows.all())
                .flatMap(List::stream);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void answersAsMeasured(Row row) {
        row.playOn(consul());
    }
}
