package io.fencedlease.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The faults really are what the other tests believe. */
@NeedsConsul
class ConsulProcessIT {

    @Test
    void dataOutlivesAKillAndAFrozenServerIsSilent() throws Exception {
        try (ConsulProcess consul = ConsulProcess.start()) {
            consul.admin().put("a/key", "value");
            consul.restart();
            assertThat(consul.admin().entry("a/key")).isPresent();

            consul.freeze();
            assertThatThrownBy(() -> get(consul.url(), Duration.ofMillis(500)))
                    .isInstanceOf(HttpTimeoutException.class);
            consul.thaw();
            assertThat(get(consul.url(), Duration.ofSeconds(20))).isEqualTo(200);
        }
    }

    @Test
    void aTokenReachesWhatItsPolicyAllows() {
        try (ConsulProcess consul = ConsulProcess.startDenyingByDefault()) {
            String secret = consul.admin().createToken("key_prefix \"a/\" { policy = \"read\" }");
            ConsulAdmin reader = new ConsulAdmin(consul.url(), secret);
            assertThat(reader.entry("a/key")).isEmpty();
            assertThatThrownBy(() -> reader.put("a/key", "value")).hasMessageContaining("403");
        }
    }

    @Test
    void theProxyCutsHangsAndHeals() throws Exception {
        try (ConsulProcess consul = ConsulProcess.start();
                TcpProxy proxy = new TcpProxy(consul.httpPort())) {
            assertThat(get(proxy.url(), Duration.ofSeconds(20))).isEqualTo(200);
            proxy.cut();
            assertThatThrownBy(() -> get(proxy.url(), Duration.ofSeconds(20)))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(HttpTimeoutException.class);
            proxy.hang();
            assertThatThrownBy(() -> get(proxy.url(), Duration.ofMillis(300))).isInstanceOf(HttpTimeoutException.class);
            proxy.heal();
            assertThat(get(proxy.url(), Duration.ofSeconds(20))).isEqualTo(200);
        }
    }

    private static int get(URI url, Duration limit) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/v1/status/leader"))
                .timeout(limit)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }
}
