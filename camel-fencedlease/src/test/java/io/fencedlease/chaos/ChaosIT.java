package io.fencedlease.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.faults.NeedsConsul;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goal: whatever happens to nodes, network and servers, the database accepts no write of an earlier tenure, and every lease
 * is held again afterwards. Method: real JVMs with leased routes, three Consul servers, PostgreSQL, a seeded nemesis for
 * {@code -Dchaos.seconds} (60); what the database committed is judged.
 */
@NeedsConsul
class ChaosIT {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);

    @Test
    void noWriteOfAnEarlierTenureIsAcceptedAndEveryLeaseIsHeldAgain() throws Exception {
        ChaosOptions options = ChaosOptions.given();
        Outcome outcome;
        List<String> violations;
        try (ChaosRun run = new ChaosRun(options)) {
            outcome = run.run();
            violations = new ArrayList<>(Verdict.of(outcome));
            ChaosPage.write(outcome, violations);
            LOG.info("{}violations: {}", outcome.summary(), violations.size());

            assertThat(run.stillRunning()).isEmpty();
            await().atMost(Duration.ofSeconds(60)).until(() -> run.sessions().isEmpty());
        }

        assertThat(violations)
                .as(() -> "history in " + options.folder() + "; once more: " + options.again())
                .isEmpty();
        assertThat(outcome.struck()).isNotEmpty();
        assertThat(outcome.count(NodeLine.Kind.TENURE))
                .isGreaterThan(options.leases().size());
        Files.writeString(options.folder().resolve("summary.txt"), outcome.summary());
    }
}
