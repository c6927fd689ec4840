package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.faults.ConsulAdmin;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.spi.Acquisition.Acquired;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.Holding;
import io.fencedlease.lease.spi.LeaseSession;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal.Renewed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Consul that denies by default: what is missing is named, and never taken for an answer about a lease. */
@NeedsConsul
class ConsulAclIT extends ConsulBench {

    private static final String SESSIONS = "session_prefix \"\" { policy = \"write\" } ";
    private static final String KEYS = "key_prefix \"fencedlease/\" { policy = \"write\" } ";

    private static ConsulProcess consul;
    private static ConsulAdmin admin;

    @BeforeAll
    static void start() {
        consul = ConsulProcess.startDenyingByDefault();
        admin = consul.admin();
    }

    @AfterAll
    static void stop() {
        consul.close();
    }

    @Test
    void theTwoRightsAreEnough() {
        LeaseSession session = session(with(admin.createToken(SESSIONS + KEYS)));
        Acquired tenure = acquired(session, "n1");

        assertThat(Answers.of(session::renew)).isEqualTo(new Renewed());
        assertThat(holding(session)).isInstanceOf(Holding.Held.class);
        assertThat(Answers.of(() -> session.publish(new Tenure(lease, tenure.token(), "n1"), tenure.revision())))
                .isEqualTo(new Publication.Published(true));
        session.watches().forEach(watch -> Answers.of(watch::next));
        assertThat(release(session, tenure)).isEqualTo(Release.DONE);
        Answers.of(session::destroy);
        assertThat(admin.session(session.id())).isEmpty();
    }

    @Test
    void theMissingRightToCreateSessionsIsNamed() {
        ConsulBackend client = with(admin.createToken(KEYS));

        assertThatThrownBy(() -> session(client))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("session:write");
    }

    @Test
    void theMissingRightToWriteKeysIsNamed() {
        LeaseSession session = session(with(admin.createToken(SESSIONS + "key_prefix \"\" { policy = \"read\" }")));

        assertThatThrownBy(() -> acquire(session, "n1"))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("key:write on \"fencedlease/\"");
        assertThat(admin.entry(leaseKey())).isEmpty();
    }

    @Test
    void anUnknownTokenIsNamedWithoutItself() {
        String unknown = UUID.randomUUID().toString();
        ConsulBackend client = with(unknown);

        assertThatThrownBy(() -> session(client))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("ACL token")
                .hasMessageNotContaining(unknown);
    }

    @Test
    void noTokenAtAllIsRefused() {
        assertThatThrownBy(() -> session(consul.url())).isInstanceOf(BackendRefusedException.class);
    }

    /** A folder that may not be read looks empty; an entry that may not be read is left out. */
    @Test
    void aLeaseThatMayNotBeReadIsNeverFree() {
        acquired(session(with(consul.managementToken())), "n1");
        LeaseSession blind = session(with(admin.createToken(SESSIONS)));

        assertThatThrownBy(() -> holding(blind))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("key:read on \"fencedlease/\"");
        List<LeaseName> many = new ArrayList<>(IntStream.range(0, 300)
                .mapToObj(i -> new LeaseName("absent." + i))
                .toList());
        many.add(lease);
        assertThat(Answers.of(() -> blind.read(many))).doesNotContainKey(lease);
    }

    @Test
    void oneLeaseThatMayNotBeReadDoesNotHideTheOthers() {
        acquired(session(with(consul.managementToken())), "n1");
        LeaseName readable = new LeaseName("readable");
        LeaseSession session = session(with(
                admin.createToken(SESSIONS + KEYS + "key \"fencedlease/leases/" + lease + "\" { policy = \"deny\" }")));

        assertThat(Answers.of(() -> session.read(List.of(lease, readable)))).containsOnlyKeys(readable);
    }

    @Test
    void aTokenDeletedWhileHoldingIsARefusalAndNotALostSession() {
        String token = admin.createToken(SESSIONS + KEYS);
        LeaseSession session = session(with(token));
        acquired(session, "n1");

        admin.deleteToken(token);

        assertThatThrownBy(() -> Answers.of(session::renew)).isInstanceOf(BackendRefusedException.class);
        assertThatThrownBy(() -> acquire(session, "n1")).isInstanceOf(BackendRefusedException.class);
        assertThat(admin.entry(leaseKey()).orElseThrow().get("Session").asText())
                .isEqualTo(session.id());
    }

    private ConsulBackend with(String token) {
        return client(ConsulSettings.builder()
                .address(consul.url().toString())
                .token(token)
                .build());
    }
}
