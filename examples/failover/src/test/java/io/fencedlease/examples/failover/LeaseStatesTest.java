package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseReport;
import io.fencedlease.lease.LeaseReport.State;
import io.fencedlease.lease.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseStatesTest {

    private static final LeaseName LEASE = new LeaseName("invoice-closer");

    private final List<String> told = new ArrayList<>();
    private List<LeaseReport> reports = List.of();
    private final LeaseStates states =
            new LeaseStates(() -> reports, m -> told.add(m.kind() + " " + m.token() + " " + m.text()));

    @Test
    void tellsEachChangeOnce() {
        look(State.WAITING, 0, "B");
        look(State.WAITING, 0, "B");
        look(State.PREPARING, 5, "");
        look(State.HOLDING, 5, "");
        look(State.HOLDING, 5, "");
        look(State.ENDING, 0, "");
        look(State.WAITING, 0, "");

        assertThat(told)
                .containsExactly(
                        "WAITING 0 competes for the lease, held by B",
                        "LOST 5 holds the lease no longer",
                        "WAITING 0 competes for the lease");
    }

    @Test
    void aTenureThatFollowsWithoutAVisibleGapIsALossAllTheSame() {
        look(State.HOLDING, 5, "");
        look(State.HOLDING, 7, "");

        assertThat(told).containsExactly("LOST 5 holds the lease no longer");
    }

    private void look(State state, long token, String holder) {
        reports = List.of(new LeaseReport(
                LEASE,
                state,
                Optional.empty(),
                token == 0 ? Optional.empty() : Optional.of(new Tenure(LEASE, new FencingToken(token), "n")),
                Optional.empty(),
                holder.isEmpty() ? Optional.empty() : Optional.of(holder),
                Optional.empty(),
                Optional.empty()));
        states.look();
    }
}
