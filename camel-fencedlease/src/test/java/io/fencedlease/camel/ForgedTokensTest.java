package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;

import javax.sql.DataSource;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterAll;

/** Leases and fences in one H2. */
class ForgedTokensTest extends ForgedTokensContract {

    private final LeaseDatabase database = new LeaseDatabase();

    /** Somebody else has had the first token: there has to be a lower one. */
    @Override
    void configure(FencedLeaseConfiguration configuration) throws Exception {
        try (LeasedNode earlier = new LeasedNode(database, "earlier")
                .routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("fencedlease:L:direct:in").process(e -> {});
                    }
                })
                .start()) {
            eventually().until(earlier::holds);
        }
        configuration.setBackend("jdbc");
        configuration.setDataSource(database.dataSource());
    }

    @Override
    DataSource dataSource() {
        return database.dataSource();
    }

    @AfterAll
    void close() {
        database.close();
    }
}
