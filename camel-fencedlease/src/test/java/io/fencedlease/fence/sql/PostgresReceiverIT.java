package io.fencedlease.fence.sql;

import io.fencedlease.faults.Postgres;
import javax.sql.DataSource;

class PostgresReceiverIT extends SqlReceiverContract {

    @Override
    DataSource freshDatabase() {
        return Postgres.freshDatabase();
    }
}
