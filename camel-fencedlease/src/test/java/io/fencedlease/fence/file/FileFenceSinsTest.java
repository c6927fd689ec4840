package io.fencedlease.fence.file;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.fencedlease.fence.Fence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Proves that the contract of fences can fail: each sin is refused by its sentence. */
class FileFenceSinsTest {

    private static volatile FileFenceSin committed;

    @ParameterizedTest
    @EnumSource
    void everySinIsRefusedByItsSentence(FileFenceSin sin) {
        committed = sin;
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sinner.class, sin.refusedBy))
                .execute()
                .testEvents()
                .assertStatistics(count -> count.started(1).failed(1));
    }

    static final class Sinner extends FileFenceTest {
        @Override
        protected Fence fence() {
            return new SinfulFileFence(committed, LEASE, directory);
        }

        @Override
        protected Fence elsewhere() {
            return fence();
        }
    }
}
