package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsulSettingsTest {

    @Test
    void defaultsBindNoCheckAndKeepTheirKeysUnderFencedlease() {
        ConsulSettings settings = settings().build();

        assertThat(settings.nodeChecks()).isEmpty();
        assertThat(settings.serviceChecks()).isEmpty();
        assertThat(settings.keyPrefix()).isEqualTo("fencedlease");
    }

    @Test
    void theTokenIsNotShown() {
        assertThat(settings().token("s3cr3t").build()).asString().doesNotContain("s3cr3t");
        assertThat(new ConsulBackend(settings().token("s3cr3t").build()).describe())
                .doesNotContain("s3cr3t");
        assertThatThrownBy(() -> settings().token("s3cr3t\n")).hasMessageNotContaining("s3cr3t");
        assertThatThrownBy(() -> settings().address("http://user:s3cr3t@host:8500"))
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void aTrailingSlashOfAnAddressIsDropped() {
        assertThat(ConsulSettings.builder().address("http://a:8500/").build().addresses())
                .containsExactly(URI.create("http://a:8500"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "a/../b", "..", "a/./b", ".", "a b", "a?b", "ä", "a%2Fb"})
    void aKeyPrefixThatIsNotTheSameKeyEverywhereIsRefused(String prefix) {
        assertThatThrownBy(() -> settings().keyPrefix(prefix))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("keyPrefix")
                .hasMessageContaining("'" + prefix + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fencedlease", "a/b", "team-1/app_2.x"})
    void anOrdinaryKeyPrefixIsTaken(String prefix) {
        assertThat(settings().keyPrefix(prefix).build().keyPrefix()).isEqualTo(prefix);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost:8500", "ftp://a", "http://", "http://a?token=x", "unix:///run/consul.sock", "a b"})
    void anAddressThatIsNoWebAddressIsRefused(String address) {
        assertThatThrownBy(() -> settings().address(address))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("consulUrl");
    }

    @Test
    void noAddressIsRefused() {
        assertThatThrownBy(() -> ConsulSettings.builder().build())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("consulUrl");
    }

    @Test
    void aPlainAddressBesideAnSslContextIsRefused() throws NoSuchAlgorithmException {
        SSLContext tls = SSLContext.getDefault();

        assertThatThrownBy(() -> settings().sslContext(tls).build())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("http://127.0.0.1:8500")
                .hasMessageContaining("sslContext");
    }

    private static ConsulSettings.Builder settings() {
        return ConsulSettings.builder().address("http://127.0.0.1:8500");
    }
}
