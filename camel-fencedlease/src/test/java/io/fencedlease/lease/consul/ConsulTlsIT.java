package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.faults.TestCertificate;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Consul that speaks TLS only with those who show a certificate. */
@NeedsConsul
class ConsulTlsIT extends ConsulBench {

    @Test
    void onlyWhoShowsItsCertificateGetsAnAnswer(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder);
        try (ConsulProcess consul = ConsulProcess.startWithMutualTls(certificate)) {
            LeaseSession session = session(tls(consul, certificate.showing()));
            acquired(session, "n1");
            assertThat(holding(session)).isInstanceOf(Holding.Held.class);

            assertUnknown(tls(consul, certificate.trusting()));
            assertUnknown(tls(consul, SSLContext.getDefault()));
            // Consul answers 400 and cuts the connection; which of the two arrives is a matter of luck
            String plain = consul.httpsUrl().toString().replace("https", "http");
            ConsulBackend unencrypted =
                    client(ConsulSettings.builder().address(plain).build());
            assertThatThrownBy(() -> Answers.once(unencrypted.openSession(times(), "n")))
                    .isInstanceOfAny(BackendUnavailableException.class, BackendRefusedException.class);
        }
    }

    private void assertUnknown(ConsulBackend client) {
        assertThatThrownBy(() -> Answers.once(client.openSession(times(), "n")))
                .isInstanceOf(BackendUnavailableException.class);
    }

    private ConsulBackend tls(ConsulProcess consul, SSLContext context) {
        return client(ConsulSettings.builder()
                .address(consul.httpsUrl().toString())
                .sslContext(context)
                .build());
    }
}
