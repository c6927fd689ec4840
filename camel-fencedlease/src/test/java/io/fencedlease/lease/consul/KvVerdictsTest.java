package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.consul.KvTransactions.Outcome;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the texts of a refused transaction mean: those a real Consul was seen to answer. T85 of the cases. */
class KvVerdictsTest {

    private static ConsulAnswer conflict(String... errors) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < errors.length; i += 2) {
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"OpIndex\":")
                    .append(errors[i])
                    .append(",\"What\":\"")
                    .append(errors[i + 1].replace("\"", "\\\""))
                    .append("\"}");
        }
        return new ConsulAnswer(409, "{\"Results\":null,\"Errors\":[" + list + "]}", 0);
    }

    private static ConsulTxn checks() {
        return new ConsulTxn().checkSession("fl/leases/L", "df9b").checkIndex("fl/mark/L", 19);
    }

    private static Outcome outcome(ConsulAnswer answer) {
        ConsulTxn asked = checks().add(KvOperation.set("data/x", "", 0)).add(KvOperation.delete("data/y"));
        return KvVerdicts.outcome(answer, KvVerdicts.CHECKS, asked);
    }

    private static KvTransactions.Look look(ConsulAnswer answer) {
        return KvVerdicts.look(answer, "x", checks().get("x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | failed session check for key \"fl/leases/L\", current session \"\" != \"df9b\"",
                "0 | failed to check session, key \"fl/leases/L\" doesn't exist",
                "1 | failed index check for key \"fl/mark/L\", current modify index 20 != 19",
                "1 | failed to check index, key \"fl/mark/L\" doesn't exist"
            })
    void aFailedCheckIsFencedOutWhateverElseFailed(String operation, String text) {
        assertThat(outcome(conflict(operation, text))).isEqualTo(Outcome.FENCED_OUT);
        assertThat(outcome(conflict(operation, text, "2", "failed to set key \"x\", index is stale")))
                .isEqualTo(Outcome.FENCED_OUT);
        assertThat(look(conflict(operation, text, "2", "key \"x\" doesn't exist"))
                        .passed())
                .isFalse();
    }

    @Test
    void aConditionThatDoesNotHoldIsNoRefusalOfTheFence() {
        assertThat(outcome(conflict("2", "failed to set key \"x\", index is stale")))
                .isEqualTo(Outcome.CONDITION_FAILED);
        assertThat(outcome(conflict("2", "failed to delete key \"x\", index is stale")))
                .isEqualTo(Outcome.CONDITION_FAILED);
        assertThat(look(conflict("2", "key \"x\" doesn't exist")))
                .satisfies(look -> assertThat(look.passed()).isTrue())
                .satisfies(look -> assertThat(look.entry()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"409 | Permission denied", "403 | ACL not found", "413 | too many operations"})
    void aMissingRightIsAFaultOfConfiguration(int status, String body) {
        assertThatThrownBy(() -> outcome(new ConsulAnswer(status, body, 0)))
                .isInstanceOf(BackendRefusedException.class);
        assertThatThrownBy(() -> look(new ConsulAnswer(status, body, 0))).isInstanceOf(BackendRefusedException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | key:read on \"fl/leases/L\":",
                "1 | key:read on \"fl/mark/L\":",
                "2 | key:write on \"data/x\":",
                "3 | key:write on \"data/y\":"
            })
    void aRightRefusedInsideATransactionIsTheOneOfThatOperation(String operation, String right) {
        assertThatThrownBy(() -> outcome(conflict(operation, "Permission denied")))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("missing right: " + right);
        assertThatThrownBy(() -> outcome(conflict("0", "Permission denied", operation, "Permission denied")))
                .hasMessageContaining("key:read on \"fl/leases/L\"")
                .hasMessageContaining(right);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"500 | No cluster leader", "429 | ''", "409 | ''", "200 | <html>", "503 | ''", "404 | ''"})
    void whateverElseIsUnknown(int status, String body) {
        assertThatThrownBy(() -> outcome(new ConsulAnswer(status, body, 0)))
                .isInstanceOf(BackendUnavailableException.class);
        if (status != 200) {
            assertThatThrownBy(() -> look(new ConsulAnswer(status, body, 0)))
                    .isInstanceOf(BackendUnavailableException.class);
        }
        assertThatThrownBy(() -> KvVerdicts.emptyFolder(new ConsulAnswer(status, body, 0), "x"))
                .isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void textsThatWeDoNotKnowAreUnknown() {
        assertThatThrownBy(() -> outcome(conflict("2", "something new")))
                .isInstanceOf(BackendUnavailableException.class);
        assertThatThrownBy(() -> outcome(conflict("0", "something new")))
                .isInstanceOf(BackendUnavailableException.class);
    }
}
