package io.fencedlease.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.faults.Alone;
import io.fencedlease.faults.NeedsConsul;
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
@Alone
class ChaosIT {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);

    @Test
    void noWriteOfAnEarlierTenureIsAcceptedAndEveryLeaseIsHeldAgain() throws Exception {
        ChaosOptions options = ChaosOptions.given();
        Outcome outcome;
        try (ChaosRun run = new ChaosRun(options)) {
            outcome = run.run(scene -> new Nemesis(scene).torment());
        }
        List<String> violations = Verdict.of(outcome);
        ChaosPage.write(outcome, violations);
        LOG.info("{}violations: {}", outcome.summary(), Verdict.rules(violations));

        assertThat(violations)
                .as(() -> Verdict.rules(violations) + ", history in " + options.folder() + "; once more: "
                        + options.again())
                .isEmpty();
        assertThat(outcome.heldAgain()).containsOnlyKeys(options.leases());
        assertThat(outcome.struck()).isNotEmpty();
        assertThat(outcome.count(NodeLine.Kind.TENURE))
                .isGreaterThan(options.leases().size());
    }
}
