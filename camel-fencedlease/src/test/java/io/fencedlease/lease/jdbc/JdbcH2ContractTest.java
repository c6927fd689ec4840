package io.fencedlease.lease.jdbc;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

class JdbcH2ContractTest extends JdbcContract {

    JdbcH2ContractTest() {
        super(inMemory());
    }

    static DataSource inMemory() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }
}
