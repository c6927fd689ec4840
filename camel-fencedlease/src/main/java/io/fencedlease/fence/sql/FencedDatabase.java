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

/** What one lease remembers in one database: where it is, and how the database was found to behave. */
final class FencedDatabase {

    private static final Logger LOG = LoggerFactory.getLogger(FencedDatabase.class);

    /** Beyond the lock wait: for the rest of a raise, on a slow network. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    final LeaseName lease;
    final String resource;
    final DataSource dataSource;
    final SqlFenceOptions options;
    private final AtomicBoolean worried = new AtomicBoolean();
    private final ShippedTables tables;
    private volatile @Nullable SqlDialect dialect;

    FencedDatabase(LeaseName lease, String name, DataSource dataSource, SqlFenceOptions options, ShippedTables tables) {
        options.check(lease);
        this.tables = tables;
        this.lease = lease;
        this.resource = "database '" + name + "'";
        this.dataSource = unproxied(dataSource);
        this.options = options;
    }

    /** Looks at the database the first time, and makes missing tables. */
    SqlDialect dialect() {
        SqlDialect known = dialect;
        if (known == null) {
            known = look();
            dialect = known;
        }
        return known;
    }

    Marks marks() {
        return new Marks(lease, dialect());
    }

    OwnConnection connect() {
        try {
            return new OwnConnection(dataSource, options.raiseTimeout().plus(GRACE));
        } catch (SQLException e) {
            throw new FenceUnavailableException(resource + ": no connection for the fence of lease '" + lease + "'", e);
        }
    }

    private SqlDialect look() {
        try (OwnConnection own = connect()) {
            SqlDialect found = SqlDialect.of(own.connection().getMetaData(), lease.value());
            found.inspect(own.jdbc(), lease.value(), options.lock())
                    .filter(worry -> worried.compareAndSet(false, true))
                    .ifPresent(worry -> LOG.warn("lease '{}': {}: {}", lease, resource, worry));
            if (!tables.exist(own.jdbc())) {
                create(own, found);
            }
            return found;
        } catch (SQLException | DataAccessException e) {
            throw new FenceUnavailableException(
                    resource + ": the fence of lease '" + lease + "' could not be prepared", e);
        }
    }

    private void create(OwnConnection own, SqlDialect found) {
        if (!options.createTables()) {
            throw new SettingRefusedException(
                    lease.value(),
                    "createTables",
                    "false, but " + tables.names() + " is missing in " + resource,
                    "true, or tables made by hand from " + tables.file(found));
        }
        tables.create(own.jdbc(), found);
        LOG.info("lease '{}': {}: created the fence's tables", lease, resource);
    }

    private static DataSource unproxied(DataSource given) {
        if (given instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            return proxy.getTargetDataSource();
        }
        return given;
    }
}
