package io.fencedlease.lease.jdbc;

import io.fencedlease.faults.MariaDb;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class JdbcMariaDbContractIT extends JdbcContract {

    JdbcMariaDbContractIT() {
        super(MariaDb.freshDatabase());
    }
}
