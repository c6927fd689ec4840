package io.fencedlease.fence.sql;

import io.fencedlease.faults.MariaDb;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** Keys in MariaDB. */
@Tag("mariadb")
class MariaDbKeysIT extends SqlKeysContract {

    @Override
    DataSource freshDatabase() {
        return MariaDb.freshDatabase();
    }
}
