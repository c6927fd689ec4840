package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {

    @Test
    void withoutOptionsTwoFencedNodesUseTheDatabase() {
        assertThat(parse()).isEqualTo(new DemoOptions(2, true, Optional.empty(), Duration.ofSeconds(4)));
    }

    @Test
    void consulBringsItsOwnTtl() {
        assertThat(parse("--consul", "http://127.0.0.1:8500"))
                .isEqualTo(new DemoOptions(
                        2, true, Optional.of(URI.create("http://127.0.0.1:8500")), Duration.ofSeconds(10)));
    }

    @Test
    void whatIsGivenCountsInAnyOrder() {
        assertThat(parse("--ttl", "12", "--unfenced", "--consul", "https://c:1", "--nodes", "3"))
                .isEqualTo(new DemoOptions(3, false, Optional.of(URI.create("https://c:1")), Duration.ofSeconds(12)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--fenced            | unknown option --fenced",
                "help                | unknown option help",
                "--nodes             | --nodes needs a value",
                "--nodes 1           | --nodes: given 1, allowed: 2 to 6",
                "--nodes two         | --nodes: given two, allowed: 2 to 6",
                "--ttl 2             | --ttl: given 2, allowed: 3 to 60",
                "--consul localhost  | --consul: given localhost, allowed: http://HOST:PORT or https://HOST:PORT",
                "--consul http://c/x | --consul: given http://c/x, allowed: http://HOST:PORT or https://HOST:PORT",
                "--consul http:x     | --consul: given http:x, allowed: http://HOST:PORT or https://HOST:PORT",
            })
    void whatIsWrongIsNamed(String given, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(given.split(" ")))
                .withMessage(message);
    }

    private static DemoOptions parse(String... arguments) {
        return DemoOptions.parse(List.of(arguments));
    }
}
