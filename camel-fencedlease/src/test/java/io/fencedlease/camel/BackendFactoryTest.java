package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.jdbc.JdbcBackend;
import io.fencedlease.lease.spi.LeaseBackend;
import org.apache.camel.component.consul.ConsulComponent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which backend a context gets that has both: a configured consul component, and a DataSource for its data. */
class BackendFactoryTest {

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");

    @BeforeEach
    void both() {
        ConsulComponent consul = new ConsulComponent();
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
    void withoutAChoiceADataSourceOfTheRegistryIsForOtherThings() throws Exception {
        assertThat(built(null)).isInstanceOf(ConsulBackend.class);
    }
}
