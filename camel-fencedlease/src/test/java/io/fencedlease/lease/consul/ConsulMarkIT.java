package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mark of a lease in Consul: written by its holder, upwards only, readable by others. */
@NeedsConsul
class ConsulMarkIT extends ConsulBench {

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    private final ConsulMarks marks = new ConsulMarks(
            ConsulSettings.builder().address(consul.url().toString()).build(), Duration.ofSeconds(5));
    private LeaseSession session;
    private Acquired tenure;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
        admin = consul.admin();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @BeforeEach
    void acquire() {
        session = session(consul.url());
        tenure = acquired(session, "n1");
    }

    @Test
    void aPublishedTenureIsReadByOthersUntilTheNextOne() {
        assertThat(mark()).isEmpty();

        assertThat(publish(tenure, "n1")).isEqualTo(new Publication.Published(true));

        ConsulMark first = mark().orElseThrow();
        assertThat(first.token()).isEqualTo(tenure.token().value());
        assertThat(first.isOf(tenure("n1"))).isTrue();
        assertThat(first.isOf(tenure("n2"))).isFalse();
        assertThat(ConsulJson.valueOf(admin.entry(marks.markKey(lease)).orElseThrow()))
                .isEqualTo("{\"token\":" + tenure.token() + ",\"nonce\":\"n1\"}");

        Acquired next = acquired(session, "n2");
        assertThat(publish(next, "n2")).isEqualTo(new Publication.Published(false));
        assertThat(mark()).get().satisfies(mark -> {
            assertThat(mark.token()).isEqualTo(next.token().value());
            assertThat(mark.index()).isGreaterThan(first.index());
        });
    }

    @Test
    void aRepeatedPublicationWritesNothing() {
        publish(tenure, "n1");
        Optional<ConsulMark> before = mark();

        assertThat(publish(tenure, "n1")).isEqualTo(new Publication.Published(false));
        assertThat(mark()).isEqualTo(before);
    }

    @Test
    void aHigherMarkAndAnEqualOneOfAnotherTenureRefuse() {
        long own = tenure.token().value();
        for (long token : new long[] {own + 1_000, own}) {
            admin.put(marks.markKey(lease), "{\"token\":" + token + ",\"nonce\":\"stranger\"}");

            assertThat(publish(tenure, "n1"))
                    .isEqualTo(new Publication.Refused("Consul key " + marks.markKey(lease), token));
            assertThat(mark()).get().extracting(ConsulMark::token).isEqualTo(token);
        }
    }

    @Test
    void whatIsNoMarkRefusesAndIsNotOverwritten() {
        for (String text : new String[] {
            "",
            "53",
            "{\"token\":\"53\",\"nonce\":\"x\"}",
            "{\"token\":-1,\"nonce\":\"x\"}",
            "{\"token\":53}",
            "{\"token\":99999999999999999999,\"nonce\":\"x\"}"
        }) {
            admin.put(marks.markKey(lease), text);

            assertThatThrownBy(() -> publish(tenure, "n1"))
                    .isInstanceOf(BackendRefusedException.class)
                    .hasMessageContaining(marks.markKey(lease))
                    // what stands there may be somebody's nonce
                    .hasMessageContaining("given: what is no mark, ");
            assertThat(ConsulJson.valueOf(admin.entry(marks.markKey(lease)).orElseThrow()))
                    .isEqualTo(text);
        }
    }

    @Test
    void aMarkWrittenBetweenComparisonAndWriteIsComparedAnew() {
        ConsulHttp http = new ConsulHttp(
                ConsulSettings.builder().address(consul.url().toString()).build());
        ConsulKeys keys = new ConsulKeys("fencedlease");
        long higher = tenure.token().value() + 1;
        Publication answer = Answers.of(() -> Attempt.within(http, Duration.ofSeconds(5), attempt -> {
            MarkWriter writer = new MarkWriter(attempt, keys, session.id());
            return MarkWriter.read(attempt, keys, lease).thenCompose(stale -> {
                admin.put(marks.markKey(lease), "{\"token\":" + higher + ",\"nonce\":\"stranger\"}");
                return writer.write(stale, tenure("n1"), tenure.revision());
            });
        }));

        assertThat(answer).isInstanceOf(Publication.Refused.class);
        assertThat(mark()).get().extracting(ConsulMark::token).isEqualTo(higher);
        http.close();
    }

    private Tenure tenure(String nonce) {
        return new Tenure(lease, new FencingToken(tenure.token().value()), nonce);
    }

    private Publication publish(Acquired acquired, String nonce) {
        return Answers.of(() -> session.publish(new Tenure(lease, acquired.token(), nonce), acquired.revision()));
    }

    private Optional<ConsulMark> mark() {
        return Answers.of(() -> marks.read(lease));
    }
}
