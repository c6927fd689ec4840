package io.fencedlease.examples.ownfence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** A fence with the usual mistake, check first and write then, does not pass the contract. */
class SinfulGitFenceTest {

    @Test
    void theContractRefusesAFenceThatChecksBeforeItWritesInsteadOfWith() {
        var outcome = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(ChecksFirst.class))
                .execute()
                .testEvents();

        assertThat(outcome.failed().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .contains("nothingOfABusyHolderLandsAfterTheRaiseReturned()");
        assertThat(outcome.succeeded().count()).as("what it does right").isPositive();
        assertThat(outcome.failed().stream().map(SinfulGitFenceTest::failure))
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(AssertionError.class));
    }

    private static Throwable failure(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
    }

    static final class ChecksFirst extends GitFenceTest {

        @Override
        GitFence fence(GitRepository of) {
            return new GitFence(LEASE, of) {
                @Override
                boolean move(String mark, String head, String commit) throws IOException {
                    return of.update("update " + GitRepository.BRANCH + " " + commit + " " + head);
                }
            };
        }
    }
}
