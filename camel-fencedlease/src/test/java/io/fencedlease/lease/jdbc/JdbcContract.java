package io.fencedlease.lease.jdbc;

import io.fencedlease.contract.LeaseBackendContract;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.spi.LeaseBackend;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The contract in a database; a subclass names it. */
abstract class JdbcContract extends LeaseBackendContract {

    private final DataSource database;
    private final LeaseBackend first;
    private final LeaseBackend second;

    JdbcContract(DataSource database) {
        this.database = database;
        first = new JdbcBackend(database, JdbcSettings.defaults(), Ticker.system());
        second = new JdbcBackend(database, JdbcSettings.defaults(), Ticker.system());
    }

    @Override
    protected LeaseBackend backend() {
        return first;
    }

    @Override
    protected LeaseBackend secondClient() {
        return second;
    }

    @Override
    protected void endFromOutside(String session) {
        new JdbcTemplate(database).update("DELETE FROM fencedlease_session WHERE id = ?", session);
    }

    @Override
    protected void closeClients() {
        first.close();
        second.close();
    }
}
