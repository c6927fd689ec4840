package io.fencedlease.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Proves that the contract suite can fail: each sentence refuses the backend that sins against it. */
class SinsTest {

    private static volatile Sin committed = Sin.NONE;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everySinIsRefusedByItsSentence(Sin sin) {
        committed = sin;
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sinner.class, sin.refusedBy))
                .execute()
                .testEvents()
                .assertStatistics(count -> count.started(1).failed(1));
    }

    @Test
    void everySentenceRefusesASin() {
        Stream<String> sentences = Arrays.stream(LeaseBackendContract.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(Method::getName);

        assertThat(sentences).hasSizeGreaterThan(10).allMatch(name -> Arrays.stream(Sin.values())
                .anyMatch(sin -> sin.refusedBy.equals(name)));
    }

    static final class Sinner extends SinfulContract {
        Sinner() {
            super(committed);
        }
    }
}
