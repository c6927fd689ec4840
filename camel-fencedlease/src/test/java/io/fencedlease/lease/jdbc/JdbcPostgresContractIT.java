package io.fencedlease.lease.jdbc;

import io.fencedlease.faults.Postgres;

class JdbcPostgresContractIT extends JdbcContract {

    JdbcPostgresContractIT() {
        super(Postgres.freshDatabase());
    }
}
