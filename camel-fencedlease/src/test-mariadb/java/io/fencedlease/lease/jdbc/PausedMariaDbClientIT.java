package io.fencedlease.lease.jdbc;

import io.fencedlease.faults.MariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("mariadb")
@Timeout(120)
class PausedMariaDbClientIT {

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE fencedlease_token", "UPDATE fencedlease_lease", "UPDATE fencedlease_session"})
    void onMariaDbAPausedClientBlocksNobody(String statement) throws InterruptedException {
        PausedClientIT.pausedClientBlocksNobody(MariaDb.freshDatabase(), statement);
    }
}
