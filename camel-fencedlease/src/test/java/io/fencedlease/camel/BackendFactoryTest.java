package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.jdbc.JdbcBackend;
import io.fencedlease.lease.spi.LeaseBackend;
import org.apache.camel.component.consul.ConsulComponent;
import org.apache.camel.support.jsse.SSLContextParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which backend a context gets that has both: a configured consul component, and a DataSource for its data. */
class BackendFactoryTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");

    private final ConsulComponent consul = new ConsulComponent();

    @BeforeEach
    void both() {
        consul.getConfiguration().setUrl("http://127.0.0.1:1");
        node.context.addComponent("consul", consul);
        node.component.getConfiguration().setDataSource(null);
    }

    @AfterEach
    void close() {
        node.close();
        database.close();
    }

    private LeaseBackend built(String backend) throws Exception {
        node.component.getConfiguration().setBackend(backend);
        return new BackendFactory(node.component).build();
    }

    @Test
    void jdbcTakesTheOnlyDataSourceOfTheRegistry() throws Exception {
        assertThat(built("jdbc")).isInstanceOf(JdbcBackend.class);
    }

    @Test
    void jdbcAmongSeveralDataSourcesMustBeToldWhich() {
        node.context.getRegistry().bind("db2", new LeaseDatabase().dataSource());
        assertThatThrownBy(() -> built("jdbc"))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("dataSource");
    }

    @Test
    void optionsOfConsulBesideADataSourceAreRefusedUnlessJdbcIsAskedFor() throws Exception {
        node.context.removeComponent("consul");
        node.component.getConfiguration().setDataSource(database.dataSource());
        node.component.getConfiguration().setConsulToken("s3cret");
        node.component.getConfiguration().setKeyPrefix("ours");
        assertThatThrownBy(() -> built(null))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("consulToken, keyPrefix", "dataSource", "consulUrl", "backend=jdbc")
                .hasMessageNotContaining("s3cret");
        assertThat(built("jdbc")).isInstanceOf(JdbcBackend.class);
    }

    @Test
    void withoutAChoiceADataSourceOfTheRegistryIsForOtherThings() throws Exception {
        assertThat(built(null)).isInstanceOf(ConsulBackend.class);
    }

    @Test
    void theConsulComponentsDatacenterAndTokenAreTakenOver() throws Exception {
        consul.getConfiguration().setDatacenter("dc7");
        consul.getConfiguration().setAclToken("s3cret");

        assertThat(built("consul").describe())
                .contains("http://127.0.0.1:1", "datacenter dc7", "token ***")
                .doesNotContain("s3cret");
    }

    @Test
    void whatIsSetHereWins() throws Exception {
        consul.getConfiguration().setDatacenter("dc7");
        node.component.getConfiguration().setDatacenter("dc8");

        assertThat(built("consul").describe()).contains("http://127.0.0.1:1", "datacenter dc8");
    }

    @Test
    void anAddressOfItsOwnTakesNothingOver() throws Exception {
        consul.getConfiguration().setDatacenter("dc7");
        consul.getConfiguration().setAclToken("s3cret");
        node.component.getConfiguration().setConsulUrl("http://127.0.0.1:2");

        assertThat(built("consul").describe())
                .contains("http://127.0.0.1:2")
                .doesNotContain("dc7")
                .doesNotContain("token");
    }

    @Test
    void theConsulComponentsTlsIsTakenOver() {
        consul.getConfiguration().setSslContextParameters(new SSLContextParameters());

        assertThatThrownBy(() -> built("consul"))
                .as("TLS towards a plain address")
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("consulUrl", "https only");
    }
}
