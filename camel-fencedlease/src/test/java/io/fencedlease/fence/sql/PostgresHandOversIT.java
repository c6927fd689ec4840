package io.fencedlease.fence.sql;

import io.fencedlease.faults.Postgres;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresHandOversIT extends SqlHandOvers {

    @Override
    DataSource pool() {
        PGSimpleDataSource fresh = Postgres.freshDatabase();
        PGConnectionPoolDataSource pooled = new PGConnectionPoolDataSource();
        pooled.setUrl(fresh.getUrl());
        pooled.setUser(fresh.getUser());
        pooled.setPassword(fresh.getPassword());
        return JdbcConnectionPool.create(pooled);
    }
}
