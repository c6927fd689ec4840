package io.fencedlease.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseSettingsTest {

    // T78: allegro/consul-recipes#8
    @Test
    void theDefaultsAreFractionsOfTheTtl() {
        LeaseSettings s = LeaseSettings.defaults();

        assertThat(s.ttl()).hasSeconds(30);
        assertThat(s.renewalInterval()).hasSeconds(5);
        assertThat(s.attemptLimit()).hasSeconds(2);
        assertThat(s.lossStopTimeout()).hasSeconds(3);
        assertThat(s.lockDelay()).hasSeconds(10);
        assertThat(s.beliefSpan()).hasMillis(26_700);
        assertThat(s.failoverBound()).isEqualTo(Duration.ofSeconds(75));
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 1_001, 3_333, 10_000, 29_999, 180_000, 600_000, 1_800_000})
    void whateverTheTtlTheDerivedTimesFit(long millis) {
        LeaseSettings s =
                LeaseSettings.builder("l").ttl(Duration.ofMillis(millis)).build();

        assertThat(s.lockDelay()).isLessThanOrEqualTo(Duration.ofSeconds(60));
    }

    /** Not the TTL/10 = 18 s that nobody has set. */
    @Test
    void aTtlTooLongIsRefusedByItsOwnName() {
        assertThatThrownBy(() ->
                        LeaseSettings.builder("l").ttl(Duration.ofHours(1)).build())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("option ttl ", "3600s", "1s to 30m");
    }

    /** Else the lock-delay would be longer than Consul allows. */
    @ParameterizedTest
    @ValueSource(ints = {3, 10, 30})
    void fromThreeMinutesOnThePartsOfATtlStayTheSame(int minutes) {
        LeaseSettings s =
                LeaseSettings.builder("l").ttl(Duration.ofMinutes(minutes)).build();

        assertThat(s.renewalInterval()).hasSeconds(30);
        assertThat(s.attemptLimit()).hasSeconds(12);
        assertThat(s.lossStopTimeout()).hasSeconds(18);
        assertThat(s.lockDelay()).hasSeconds(60);
    }

    @Test
    void aDerivedLockDelayCoversWhatWasSet() {
        LeaseSettings s = LeaseSettings.builder("l")
                .lossStopTimeout(Duration.ofSeconds(5))
                .build();

        assertThat(s.lockDelay()).hasSeconds(5 + 2 + 5);
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                refusal(
                        b -> b.ttl(Duration.ofMinutes(10)).lossStopTimeout(Duration.ofSeconds(30)),
                        "renewalInterval + attemptLimit + lossStopTimeout",
                        "72s",
                        "at most 60s"),
                refusal(b -> b.ttl(Duration.ofMillis(999)), "ttl", "999ms", "1s to 30m"),
                refusal(b -> b.renewalInterval(Duration.ofSeconds(30)), "renewalInterval", "30s", "below ttl 30s"),
                refusal(b -> b.renewalInterval(Duration.ZERO), "renewalInterval", "0s", "above 0"),
                refusal(b -> b.attemptLimit(Duration.ofSeconds(-1)), "attemptLimit", "-1s", "above 0"),
                refusal(b -> b.attemptLimit(Duration.ofSeconds(23)), "renewalInterval", "5s", "attemptLimit 23s"),
                refusal(b -> b.lossStopTimeout(Duration.ofMillis(299)), "lossStopTimeout", "299ms", "1% of ttl 30s"),
                refusal(b -> b.lockDelay(Duration.ofMillis(9_999)), "lockDelay", "9999ms", "10s"),
                refusal(b -> b.lockDelay(Duration.ofSeconds(61)), "lockDelay", "61s", "to 60s"),
                refusal(b -> b.startTimeout(Duration.ZERO), "startTimeout", "0s", "above 0"));
    }

    private static Arguments refusal(
            UnaryOperator<LeaseSettings.Builder> set, String option, String given, String allowed) {
        return Arguments.of(set, option, given, allowed);
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void aContradictionIsRefusedWithLeaseOptionGivenAndAllowed(
            UnaryOperator<LeaseSettings.Builder> set, String option, String given, String allowed) {
        LeaseSettings.Builder builder = set.apply(LeaseSettings.builder("invoice-closer"));

        assertThatThrownBy(builder::build)
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("'invoice-closer'", "option " + option, "given: " + given, allowed);
    }

    @Test
    void theConstructorRefusesTheSame() {
        LeaseSettings good = LeaseSettings.defaults();

        assertThatThrownBy(() -> new LeaseSettings(
                        good.ttl(),
                        good.renewalInterval(),
                        good.attemptLimit(),
                        good.lossStopTimeout(),
                        Duration.ofSeconds(1),
                        good.startTimeout()))
                .isInstanceOf(SettingRefusedException.class);
    }
}
