package io.fencedlease.faults;

import static io.fencedlease.faults.ConsulNodes.eventually;
import static io.fencedlease.faults.ConsulNodes.measured;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: a missing right is named, costs the lease in time, and is got over once granted. Method: a Consul with ACLs. */
@NeedsConsul
class MissingRightsIT {

    private static final String SESSIONS = "session_prefix \"\" { policy = \"write\" } ";
    private static final String KEYS = "key_prefix \"fencedlease/\" { policy = \"write\" } ";
    private static final String READING = "key_prefix \"fencedlease/\" { policy = \"read\" } ";

    private static ConsulProcess consul;

    private ConsulNodes nodes;

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.startDenyingByDefault();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    @BeforeEach
    void open() {
        nodes = new ConsulNodes(consul);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    // T47: INT-4246
    @Test
    void aHolderWhoseTokenIsDeletedStopsInTimeNamesItAndComesBack() {
        losesItsRights(consul.admin()::deleteToken, "ACL token", token -> consul.admin()
                .createToken(SESSIONS + KEYS, token));
    }

    // T60: kubernetes#23731
    @Test
    void aHolderThatMayOnlyReadAnyMoreStopsInTimeNamesTheRightAndComesBack() {
        losesItsRights(token -> consul.admin().changeToken(token, READING), "session:write", token -> consul.admin()
                .changeToken(token, SESSIONS + KEYS));
    }

    // T48: INT-4447
    @Test
    void aPlannedStopWhoseReleaseIsRefusedStopsTheRouteAllTheSame() {
        String token = consul.admin().createToken(SESSIONS + KEYS);
        ConsulNode a = nodes.node("a").token(token).ticking(Way.POLICY).start();
        eventually().until(() -> nodes.journal.ran("a"));

        consul.admin().changeToken(token, READING);
        long stopping = System.nanoTime();
        a.context.stop();

        assertThat(measured("planned stop whose release is refused", stopping)).isLessThan(Duration.ofSeconds(15));
        assertThat(a.context.isStopped()).isTrue();
        assertThat(nodes.journal.ranAfter("a", System.nanoTime())).isFalse();
        assertThat(nodes.holdingSession()).as("left to its TTL").isNotEmpty();
    }

    private void losesItsRights(Consumer<String> revoke, String named, Consumer<String> grant) {
        String token = consul.admin().createToken(SESSIONS + KEYS);
        ConsulNode a = nodes.node("a").token(token).ticking(Way.POLICY).start();
        eventually().until(() -> nodes.journal.ran("a"));
        nodes.node("b").token(consul.managementToken()).ticking(Way.CONSUMER).start();

        long revoked = System.nanoTime();
        revoke.accept(token);

        eventually().until(() -> a.problem().contains(named));
        assertThat(a.problem()).doesNotContain(token);
        eventually().until(() -> a.routeStatus().isStopped());
        assertThat(measured("from the revoked right to the stopped route", revoked))
                .isLessThan(ConsulNode.TIMES.ttl());
        eventually().until(() -> nodes.journal.ran("b"));
        measured("from the revoked right to the next holder", revoked);

        grant.accept(token);
        eventually().until(() -> a.knowsHolder() && a.problem().isEmpty());
        long stopping = System.nanoTime();
        nodes.stop("b");
        eventually().until(() -> nodes.journal.ranAfter("a", stopping));
        nodes.journal.assertNoOverlap();
    }

    // T83: vault#178
    @ParameterizedTest
    @CsvSource({"session:write, true", "key:write, false"})
    void aMissingRightIsNamedTriedAgainAndGotOverOnceGranted(String right, boolean keysOnly) {
        ConsulAdmin admin = consul.admin();
        String token = admin.createToken(keysOnly ? KEYS : SESSIONS + READING);
        ConsulNode a = nodes.node("a").token(token).ticking(Way.CONSUMER).start();

        eventually().until(() -> a.problem().contains(right));
        List<String> sessions = admin.sessions();
        ConsulNodes.during(Duration.ofSeconds(2)).until(() -> a.problem().contains(right));
        assertThat(nodes.journal.ran("a")).isFalse();
        assertThat(admin.sessions())
                .as("no session is left behind by failed attempts")
                .isEqualTo(sessions);

        admin.changeToken(token, SESSIONS + KEYS);
        long granted = System.nanoTime();
        eventually().until(() -> nodes.journal.ran("a"));
        assertThat(measured("leading after " + right + " was granted", granted)).isLessThan(Duration.ofSeconds(6));
        assertThat(a.problem()).isEmpty();
    }
}
