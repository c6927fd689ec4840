package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.lease.Lease;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Leases;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: a lease nobody disturbs lasts. Method: it is held for six times its TTL, or for as long as {@code -Dsoak=PT1H}. */
@NeedsConsul
class SoakIT {

    private static final Duration SOAK = Duration.parse(System.getProperty("soak", "PT12S"));

    // T80: silas/node-consul#54
    @Test
    void aHeldLeaseKeepsItsTenure() throws Exception {
        LeaseSettings times = LeaseSettings.builder("*")
                .ttl(SOAK.compareTo(Duration.ofMinutes(1)) < 0 ? Duration.ofSeconds(4) : Duration.ofSeconds(10))
                .build();
        try (ConsulProcess consul = ConsulProcess.start();
                Leases leases = Leases.builder(new ConsulBackend(ConsulSettings.builder()
                                .address(consul.url().toString())
                                .build()))
                        .settings(times)
                        .build()) {
            Lease lease = leases.acquire(new LeaseName("soak")).get(60, TimeUnit.SECONDS);

            await().during(SOAK)
                    .atMost(SOAK.plusSeconds(60))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> lease.lossReason().isEmpty());

            lease.ensureHeld();
            assertThat(consul.admin().sessions()).hasSize(1);
        }
    }
}
