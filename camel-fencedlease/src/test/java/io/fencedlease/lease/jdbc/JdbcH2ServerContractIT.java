package io.fencedlease.lease.jdbc;

import io.fencedlease.faults.H2Server;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;

/** H2 as the demo has it: a process of its own, on disk. */
class JdbcH2ServerContractIT extends JdbcContract {

    private static final H2Server SERVER = H2Server.start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    JdbcH2ServerContractIT() {
        super(SERVER.database("contract" + DATABASES.incrementAndGet()));
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }
}
