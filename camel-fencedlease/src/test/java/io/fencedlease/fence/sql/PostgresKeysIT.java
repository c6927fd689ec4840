package io.fencedlease.fence.sql;

import io.fencedlease.faults.Postgres;
import javax.sql.DataSource;

/** Keys in PostgreSQL. */
class PostgresKeysIT extends SqlKeysContract {

    @Override
    DataSource freshDatabase() {
        return Postgres.freshDatabase();
    }
}
