package io.fencedlease.camel.idempotent;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.camel.FencedLeaseConfiguration;
import io.fencedlease.camel.sink.NamedBeans;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.sql.SqlFenceOptions;
import io.fencedlease.fence.sql.SqlKeys;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A {@link FencedIdempotentRepository} in table {@code fencedlease_keys} of PostgreSQL, MariaDB, MySQL or H2. Joins the
 * transaction of the exchange if that is on the same data source.
 */
public class FencedJdbcIdempotentRepository extends FencedIdempotentRepository {

    private @Nullable DataSource dataSource;
    private @Nullable PlatformTransactionManager transactionManager;
    private @Nullable Boolean createTables;

    /** For bean configuration: set lease name, repository name and data source. */
    public FencedJdbcIdempotentRepository() {}

    public FencedJdbcIdempotentRepository(String leaseName, String repositoryName, DataSource dataSource) {
        setLeaseName(leaseName);
        setRepositoryName(repositoryName);
        setDataSource(dataSource);
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public final void setDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public @Nullable PlatformTransactionManager getTransactionManager() {
        return transactionManager;
    }

    /** Another one than plain JDBC on the data source; it must manage that data source. */
    public void setTransactionManager(PlatformTransactionManager transactionManager) {
        this.transactionManager = transactionManager;
    }

    public @Nullable Boolean getCreateTables() {
        return createTables;
    }

    /** Whether missing tables are made; as the component is configured if not set. */
    public void setCreateTables(Boolean createTables) {
        this.createTables = createTables;
    }

    @Override
    FencedKeys keys(CamelContext context, LeaseName lease, String repository) {
        if (dataSource == null) {
            throw refused("dataSource", "none", "a DataSource");
        }
        FencedLeaseConfiguration defaults =
                context.getComponent("fencedlease", FencedLeaseComponent.class).getConfiguration();
        SqlFenceOptions options = SqlFenceOptions.defaults()
                .withRaiseTimeout(Duration.ofMillis(defaults.getRaiseTimeout()))
                .withEvict(defaults.isEvict())
                .withCreateTables(createTables == null ? defaults.isCreateTables() : createTables);
        return new SqlKeys(
                lease,
                repository,
                NamedBeans.nameOf(context, dataSource),
                dataSource,
                transactionManager == null ? new JdbcTransactionManager(dataSource) : transactionManager,
                options,
                Ticker.system());
    }
}
