package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.faults.TcpProxy;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Renewal.Renewed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bad network, a silent server: every call ends in time, as unknown, and holds nothing after its end. */
@NeedsConsul
class ConsulFaultsIT extends ConsulBench {

    /** For a machine that has other things to do. */
    private static final Duration SLACK = Duration.ofSeconds(8);

    private static ConsulProcess consul;
    private TcpProxy proxy;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @BeforeEach
    void open() throws IOException {
        proxy = new TcpProxy(consul.httpPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    @Test
    void aHangingSocketEndsACallAtItsLimit() {
        LeaseSession session = session(proxy.url());
        proxy.hang();

        endsUnknownInTime(session::renew);
        endsUnknownInTime(() -> session.acquire(lease, "n1"));
        endsUnknownInTime(() -> session.read(List.of(lease)));
        endsUnknownInTime(session::destroy);
    }

    /** The HTTP client's own time-out ends with the headers. */
    @Test
    void anAnswerThatHangsInTheMiddleOfItsBodyEndsAtTheLimit() {
        LeaseSession session = session(proxy.url());
        proxy.hangAnswers(200);

        endsUnknownInTime(session::renew);
    }

    @Test
    void aLostAnswerIsUnknownAndTheRepeatedAcquireFindsItsOwnLock() {
        LeaseSession session = session(proxy.url());
        acquired(session, "n0");
        proxy.hangAnswers(0);
        endsUnknownInTime(() -> session.acquire(lease, "n1"));
        proxy.heal();

        Acquisition first = acquire(session, "n1");
        assertThat(first).isInstanceOf(Acquisition.Acquired.class);
        assertThat(acquire(session, "n1")).isEqualTo(first);
    }

    @Test
    void callsThatTimedOutLeaveNoConnectionBehind() {
        LeaseSession session = session(proxy.url());
        proxy.hangAnswers(0);
        List<CompletionStage<?>> calls = IntStream.range(0, 30)
                .<CompletionStage<?>>mapToObj(i -> session.renew())
                .toList();

        calls.forEach(
                call -> assertThatThrownBy(() -> Answers.once(call)).isInstanceOf(BackendUnavailableException.class));

        await().atMost(SLACK).until(() -> proxy.sockets() == 0);
    }

    @Test
    void aFailedCallMovesLaterCallsToTheNextAgent() {
        LeaseSession session = session(proxy.url(), consul.url());
        proxy.cut();

        assertThatThrownBy(() -> Answers.once(session.renew())).isInstanceOf(BackendUnavailableException.class);
        assertThat(Answers.once(session.renew())).isEqualTo(new Renewed());
    }

    @Test
    void aSilentAgentMovesLaterCallsToTheNextAgent() {
        LeaseSession session = session(proxy.url(), consul.url());
        proxy.hang();

        endsUnknownInTime(session::renew);
        assertThat(Answers.once(session.renew())).isEqualTo(new Renewed());
    }

    @Test
    void anAbsentConsulIsUnknownAndFoundOnceItIsThere() {
        ConsulBackend client = client(proxy.url());
        proxy.cut();
        assertThatThrownBy(() -> Answers.once(client.openSession(times(), "n")))
                .isInstanceOf(BackendUnavailableException.class);
        proxy.heal();

        assertThat(Answers.of(() -> client.openSession(times(), "n")).id()).isNotEmpty();
    }

    @Test
    void aPathThatIsNotConsulsIsNoEvidenceOfALostSession() {
        LeaseSession session = session(proxy.url());
        ConsulHttp wrong = new ConsulHttp(
                ConsulSettings.builder().address(consul.url() + "/wrong/path").build());
        LeaseSession misled = new ConsulSession(wrong, new ConsulKeys("fencedlease"), ATTEMPT_LIMIT, "n", session.id());

        assertThatThrownBy(() -> Answers.once(misled.renew()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("is the address right?");
        wrong.close();
    }

    @Test
    void afterCloseEveryCallFailsAtOnce() {
        ConsulBackend client = client(proxy.url());
        LeaseSession session = session(client);
        client.close();

        assertThatThrownBy(() -> Answers.once(session.renew())).isInstanceOf(BackendUnavailableException.class);
    }

    private static <T> void endsUnknownInTime(Supplier<CompletionStage<T>> call) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> Answers.once(call.get())).isInstanceOf(BackendUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(ATTEMPT_LIMIT.plus(SLACK));
    }
}
