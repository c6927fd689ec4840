package io.fencedlease.fence.sql;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** One lease's fence in one database: where it is, and how it was found to behave. */
final class FencedDatabase {

    private static final Logger LOG = LoggerFactory.getLogger(FencedDatabase.class);

    /** Beyond the lock wait: for the rest of a raise, on a slow network. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    final LeaseName lease;
    final String resource;
    final DataSource dataSource;
    final SqlFenceOptions options;
    private final AtomicBoolean worried = new AtomicBoolean();
    private volatile @Nullable Marks marks;

    FencedDatabase(LeaseName lease, String name, DataSource dataSource, SqlFenceOptions options) {
        options.check(lease);
        this.lease = lease;
        this.resource = "database '" + name + "'";
        this.dataSource = unproxied(dataSource);
        this.options = options;
    }

    /** The statements for this database; looks at the database the first time. */
    Marks marks() {
        Marks known = marks;
        if (known == null) {
            known = look();
            marks = known;
        }
        return known;
    }

    OwnConnection connect() {
        try {
            return new OwnConnection(dataSource, options.raiseTimeout().plus(GRACE));
        } catch (SQLException e) {
            throw new FenceUnavailableException(resource + ": no connection for the fence of lease '" + lease + "'", e);
        }
    }

    private Marks look() {
        try (OwnConnection own = connect()) {
            SqlDialect dialect = SqlDialect.of(own.connection().getMetaData(), lease.value());
            dialect.inspect(own.jdbc(), lease.value(), options.lock())
                    .filter(worry -> worried.compareAndSet(false, true))
                    .ifPresent(worry -> LOG.warn("lease '{}': {}: {}", lease, resource, worry));
            if (!Marks.exist(own.jdbc())) {
                create(own, dialect);
            }
            return new Marks(lease, dialect);
        } catch (SQLException | DataAccessException e) {
            throw new FenceUnavailableException(
                    resource + ": the fence of lease '" + lease + "' could not be prepared", e);
        }
    }

    private void create(OwnConnection own, SqlDialect dialect) {
        if (!options.createTables()) {
            throw new SettingRefusedException(
                    lease.value(),
                    "createTables",
                    "false, but fencedlease_fence or fencedlease_intent is missing in " + resource,
                    "true, or tables made by hand from tables-" + dialect.tables() + ".sql");
        }
        Marks.create(own.jdbc(), dialect);
        LOG.info("lease '{}': {}: created the fence's tables", lease, resource);
    }

    private static DataSource unproxied(DataSource given) {
        if (given instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            return proxy.getTargetDataSource();
        }
        return given;
    }
}
