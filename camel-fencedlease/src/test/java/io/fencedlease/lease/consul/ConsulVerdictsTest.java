package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.Acquisition.HeldElsewhere;
import io.fencedlease.lease.spi.Acquisition.LockDelayed;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal.Renewed;
import io.fencedlease.lease.spi.SessionGone;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table: what each answer means. Replies as recorded from a Consul 1.8.7, or from what stands before one. */
class ConsulVerdictsTest {

    private static final String US = "8ac739c0-5667-0fe6-b776-ef8ae20cd7fa";
    private static final String OTHER = "11111111-1111-1111-1111-111111111111";
    private static final String KEY = "fl/leases/a";
    private static final String GENERATION = "fl/generation/a";
    private static final String STORED = """
            [{"ID":"%s","Name":"n","Node":"vm","LockDelay":1500000000,"Behavior":"release","TTL":"10s",\
            "NodeChecks":[],"ServiceChecks":null,"CreateIndex":13,"ModifyIndex":13}]""";
    private static final String LOCKED = """
            {"Results":[{"KV":{"LockIndex":1,"Key":"fl/leases/a","Flags":0,"Value":null,"Session":"%s",\
            "CreateIndex":15,"ModifyIndex":15}},{"KV":{"LockIndex":0,"Key":"fl/generation/a","Flags":0,"Value":"%s",\
            "CreateIndex":14,"ModifyIndex":14}}],"Errors":null}""";

    private static final Class<?> UNKNOWN = BackendUnavailableException.class;
    private static final Class<?> REFUSED = BackendRefusedException.class;

    static Stream<Arguments> renewals() {
        return Stream.of(
                arguments(answer(200, STORED.formatted(US)), Renewed.class),
                arguments(answer(404, "Session id '" + US + "' not found"), SessionGone.class),
                arguments(answer(500, "rpc error making call: invalid session \"" + US + "\""), SessionGone.class),
                // a success that does not name our session is none
                arguments(answer(200, STORED.formatted(OTHER)), UNKNOWN),
                arguments(answer(200, ""), UNKNOWN),
                arguments(answer(200, "[]"), UNKNOWN),
                arguments(answer(200, "<html>welcome</html>"), UNKNOWN),
                // a 404 that does not name our session is from somewhere else
                arguments(answer(404, ""), UNKNOWN),
                arguments(answer(404, "<html>Not found</html>"), UNKNOWN),
                arguments(answer(404, "Session id '" + OTHER + "' not found"), UNKNOWN),
                arguments(answer(500, "invalid session \"" + OTHER + "\""), UNKNOWN));
    }

    // T44: jetcd#965, T75: hashicorp/consul#7527
    @ParameterizedTest
    @MethodSource({"renewals", "faults"})
    void renewal(ConsulAnswer answer, Object meaning) {
        assertThat(outcome(() -> ConsulVerdicts.renewal(answer, US))).isInstanceOf((Class<?>) meaning);
    }

    static Stream<Arguments> acquisitions() {
        return Stream.of(
                arguments(answer(200, LOCKED.formatted(US, "MA==")), acquired(15)),
                arguments(answer(200, LOCKED.formatted(US, "MTAwMA==")), acquired(1015)),
                arguments(errors(0, "failed to lock key \"fl/leases/a\", lock is already held"), elsewhere()),
                arguments(
                        errors(0, "failed to lock key \"fl/leases/a\" due to lock delay"),
                        Optional.of(new LockDelayed())),
                arguments(errors(0, "invalid session \"" + US + "\""), gone()),
                arguments(errors(0, "rpc error making call: invalid session \"" + US + "\""), gone()),
                arguments(answer(409, """
                                {"Results":null,"Errors":[{"OpIndex":0,"What":"invalid session \\"%s\\""},\
                                {"OpIndex":1,"What":"key \\"fl/generation/a\\" doesn't exist"}]}""".formatted(US)), gone()),
                arguments(answer(500, "invalid session \"" + US + "\""), gone()),
                arguments(
                        answer(500, "rpc error making call: rpc error making call: invalid session \"" + US + "\""),
                        gone()),
                arguments(errors(1, "key \"fl/generation/a\" doesn't exist"), Optional.empty()),
                // the generation key was opened with something that is no number
                arguments(answer(200, LOCKED.formatted(US, "eA==")), REFUSED),
                arguments(answer(200, LOCKED.formatted(US, "LTE=")), REFUSED),
                // a result that no policy lets us read is left out
                arguments(answer(200, """
                                {"Results":[{"KV":{"Key":"fl/leases/a","Session":"%s","ModifyIndex":15}}],"Errors":null}""".formatted(US)), REFUSED),
                arguments(answer(200, LOCKED.formatted(OTHER, "MA==")), UNKNOWN),
                arguments(answer(200, "{\"Results\":[],\"Errors\":null}"), UNKNOWN),
                arguments(answer(200, "true"), UNKNOWN),
                arguments(answer(404, ""), UNKNOWN),
                arguments(errors(0, "invalid session \"" + OTHER + "\""), UNKNOWN),
                arguments(errors(0, "unknown KV verb \"lock\""), UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource({"acquisitions", "faults"})
    void acquisition(ConsulAnswer answer, Object meaning) {
        Object outcome = outcome(() -> ConsulVerdicts.acquisition(answer, US, KEY, GENERATION));
        if (meaning instanceof Class<?> type) {
            assertThat(outcome).isInstanceOf(type);
        } else if (meaning.equals(gone())) {
            assertThat((Optional<?>) outcome).containsInstanceOf(SessionGone.class);
        } else {
            assertThat(outcome).isEqualTo(meaning);
        }
    }

    static Stream<Arguments> releases() {
        String notHeld = "failed to unlock key \\\"fl/leases/a\\\", lock isn't held, or is held by another session";
        String moved = "failed index check for key \\\"fl/leases/a\\\", current modify index 15 != 3";
        return Stream.of(
                arguments(
                        answer(
                                200,
                                "{\"Results\":[{\"KV\":{\"Key\":\"fl/leases/a\",\"ModifyIndex\":22}}],\"Errors\":null}"),
                        Release.DONE),
                arguments(answer(409, "{\"Errors\":[{\"OpIndex\":0,\"What\":\"" + moved + "\"}]}"), Release.MOVED),
                arguments(answer(409, "{\"Errors\":[{\"OpIndex\":1,\"What\":\"" + notHeld + "\"}]}"), Release.DONE),
                // moved, but to somebody else
                arguments(
                        answer(
                                409,
                                "{\"Errors\":[{\"OpIndex\":0,\"What\":\"" + moved + "\"},{\"OpIndex\":1,\"What\":\""
                                        + notHeld + "\"}]}"),
                        Release.DONE),
                arguments(answer(200, "{\"Results\":[],\"Errors\":null}"), UNKNOWN),
                arguments(answer(200, ""), UNKNOWN),
                arguments(answer(404, ""), UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource({"releases", "faults"})
    void release(ConsulAnswer answer, Object meaning) {
        Object outcome = outcome(() -> ConsulVerdicts.release(answer, KEY));
        if (meaning instanceof Class<?> type) {
            assertThat(outcome).isInstanceOf(type);
        } else {
            assertThat(outcome).isEqualTo(meaning);
        }
    }

    static Stream<Arguments> publications() {
        String other = "failed session check for key \"fl/leases/a\", current session \"\" != \"" + US + "\"";
        String moved = "failed index check for key \"fl/leases/a\", current modify index 15 != 3";
        Optional<?> published = Optional.of(new Publication.Published(true));
        Optional<?> notHeld = Optional.of(new Publication.NotHeld());
        return Stream.of(
                arguments(
                        answer(
                                200,
                                "{\"Results\":[{\"KV\":{\"Key\":\"fl/leases/a\"}},{\"KV\":{\"Key\":\"fl/mark/a\"}}]}"),
                        published),
                arguments(errors(0, other), notHeld),
                arguments(errors(1, moved), notHeld),
                arguments(errors(0, "failed to check session, key \"fl/leases/a\" doesn't exist"), notHeld),
                // written meanwhile: compare anew
                arguments(errors(2, "failed to set key \"fl/mark/a\", index is stale"), Optional.empty()),
                arguments(errors(2, "key \"fl/mark/a\" doesn't exist"), Optional.empty()),
                arguments(answer(200, "{\"Results\":[{\"KV\":{\"Key\":\"fl/leases/a\"}}]}"), UNKNOWN),
                arguments(errors(0, "unknown KV verb \"cas\""), UNKNOWN),
                arguments(answer(404, ""), UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource({"publications", "faults"})
    void publication(ConsulAnswer answer, Object meaning) {
        Object outcome = outcome(() -> ConsulVerdicts.publication(answer, true, "fl/mark/a", new ConsulTxn()));
        if (meaning instanceof Class<?> type) {
            assertThat(outcome).isInstanceOf(type);
        } else {
            assertThat(outcome).isEqualTo(meaning);
        }
    }

    static Stream<Arguments> entries() {
        String entry = "[{\"Key\":\"fl/mark/a\",\"ModifyIndex\":7,\"Value\":null}]";
        return Stream.of(
                arguments(new ConsulAnswer(200, entry, 7), Optional.class),
                arguments(new ConsulAnswer(404, "", 7), Optional.class),
                // a way that leads nowhere is no absence
                arguments(answer(404, ""), UNKNOWN),
                arguments(new ConsulAnswer(404, "<html>", 7), UNKNOWN),
                arguments(answer(200, entry.replace("mark/a", "mark/b")), UNKNOWN),
                arguments(answer(200, "[]"), UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource({"entries", "faults"})
    void entry(ConsulAnswer answer, Class<?> meaning) {
        assertThat(outcome(() -> ConsulVerdicts.entry(answer, "fl/mark/a"))).isInstanceOf(meaning);
    }

    static Stream<Arguments> creations() {
        return Stream.of(
                arguments(answer(200, "{\"ID\":\"" + US + "\"}"), String.class),
                arguments(answer(200, "{}"), UNKNOWN),
                arguments(answer(500, "Check 'mine' is in critical state"), UNKNOWN),
                arguments(answer(500, "Invalid Session TTL '1000000000', must be between [10s=24h0m0s]"), REFUSED),
                arguments(answer(500, "Missing check 'nope' registration"), REFUSED),
                arguments(answer(500, "rpc error making call: Missing node registration"), REFUSED));
    }

    @ParameterizedTest
    @MethodSource({"creations", "faults"})
    void creation(ConsulAnswer answer, Object meaning) {
        assertThat(outcome(() -> ConsulVerdicts.created(answer))).isInstanceOf((Class<?>) meaning);
    }

    /** What means the same whatever was asked. */
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(answer(500, "No cluster leader"), UNKNOWN),
                arguments(answer(500, "leadership lost while committing log"), UNKNOWN),
                arguments(answer(500, "rpc error making call: EOF"), UNKNOWN),
                arguments(answer(500, "rpc error making call: stream closed"), UNKNOWN),
                arguments(
                        answer(500, "rpc error getting client: failed to get conn: dial tcp: connection refused"),
                        UNKNOWN),
                arguments(answer(500, "node is not the leader"), UNKNOWN),
                arguments(answer(429, ""), UNKNOWN),
                arguments(answer(502, "<html>Bad gateway</html>"), UNKNOWN),
                arguments(answer(503, ""), UNKNOWN),
                arguments(answer(504, ""), UNKNOWN),
                arguments(answer(409, "{}"), UNKNOWN),
                arguments(answer(418, "teapot"), UNKNOWN),
                arguments(answer(204, ""), UNKNOWN),
                arguments(answer(403, "Permission denied"), REFUSED),
                arguments(answer(403, "ACL not found"), REFUSED),
                arguments(answer(500, "rpc error making call: Permission denied"), REFUSED),
                arguments(errors(0, "Permission denied"), REFUSED),
                arguments(answer(400, "Client sent an HTTP request to an HTTPS server."), REFUSED),
                arguments(answer(400, "Failed to parse body: unexpected EOF"), REFUSED),
                arguments(answer(405, "method GET not allowed"), REFUSED),
                arguments(answer(413, "Transaction contains too many operations (65 > 64)"), REFUSED),
                arguments(answer(301, ""), REFUSED),
                arguments(answer(500, "No path to datacenter"), REFUSED));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aRefusalNamesWhatIsWrong(ConsulAnswer answer, String named) {
        assertThat(ConsulVerdicts.fault(answer, ConsulVerdicts.keyRight("write", KEY)))
                .hasMessageContaining(named);
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                arguments(answer(403, "Permission denied"), "missing right: key:write on \"fl/\""),
                arguments(answer(403, "ACL not found"), "does not know the ACL token"),
                arguments(
                        answer(500, "Invalid Session TTL '1000000000', must be between [10s=24h0m0s]"),
                        "given: 1000 ms, allowed: 10s to 24h0m0s"),
                arguments(answer(404, ""), "is the address right?"));
    }

    private static Object outcome(Supplier<?> verdict) {
        try {
            return verdict.get();
        } catch (RuntimeException fault) {
            return fault;
        }
    }

    private static ConsulAnswer answer(int status, String body) {
        return new ConsulAnswer(status, body, 0);
    }

    private static ConsulAnswer errors(int operation, String what) {
        return answer(
                409,
                "{\"Results\":null,\"Errors\":[{\"OpIndex\":" + operation + ",\"What\":" + ConsulJson.write(what)
                        + "}]}");
    }

    private static Object acquired(long token) {
        return Optional.of(new Acquired(new FencingToken(token), 15));
    }

    private static Object elsewhere() {
        return Optional.of(new HeldElsewhere(""));
    }

    private static Object gone() {
        return Optional.of("gone");
    }
}
