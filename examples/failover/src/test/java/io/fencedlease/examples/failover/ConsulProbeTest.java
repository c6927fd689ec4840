package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ConsulProbeTest {

    @Test
    void anAddressWhereNobodyListensIsNamed() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }
        URI nobody = URI.create("http://127.0.0.1:" + port);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConsulProbe.requireLeader(nobody))
                .withMessageContaining("--consul: given " + nobody + ", which does not answer");
    }
}
