package io.fencedlease.fence.sql;

import io.fencedlease.faults.MariaDb;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbReceiverIT extends SqlReceiverContract {

    @Override
    DataSource freshDatabase() {
        return MariaDb.freshDatabase();
    }
}
