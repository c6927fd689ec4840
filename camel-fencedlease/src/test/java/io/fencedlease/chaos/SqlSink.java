package io.fencedlease.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.model.RouteDefinition;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Rows in PostgreSQL, in a guarded transaction or, to show what the fence is for, without it. A write takes its time
 * both before it gets a connection and inside its statement, so that pauses hit it there.
 */
record SqlSink(Predicate<String> fenced) implements ChaosSink {

    private static final int LONGEST_WAIT_MILLIS = Integer.getInteger("chaos.wait", 0);

    private static final int LONGEST_STATEMENT_MILLIS = 60;

    private static final int SECONDS = 5;

    @Override
    public String resource() {
        return DATABASE;
    }

    @Override
    public void prepare(CamelContext node) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(System.getProperty("chaos.database"));
        source.setUser("postgres");
        source.setPassword("postgres");
        source.setConnectTimeout(SECONDS);
        source.setSocketTimeout(SECONDS);
        node.getRegistry().bind("db", new Slow(source));
    }

    @Override
    public RouteDefinition write(RouteDefinition route, String lease, String node) {
        String insert = "sql:INSERT INTO chaos_event(kind, lease, token, nonce, node, attempt)"
                + " SELECT 'WRITE', CAST(:#FencingLease AS VARCHAR), CAST(:#FencingToken AS BIGINT),"
                + " CAST(:#FencingNonce AS VARCHAR), '" + node + "', CAST(:#" + ATTEMPT + " AS VARCHAR)"
                + " FROM pg_sleep(CAST(:#seconds AS DOUBLE PRECISION))?dataSource=#db";
        return route.process(e -> e.getMessage().setHeader("seconds", upTo(LONGEST_STATEMENT_MILLIS) / 1000.0))
                .to((fenced.test(lease) ? "fencedlease:" + lease + ":" : "") + insert);
    }

    private static int upTo(int millis) {
        return ThreadLocalRandom.current().nextInt(millis + 1);
    }

    /** As a pool that has no connection free at once. */
    private static final class Slow extends DelegatingDataSource {

        Slow(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                TimeUnit.MILLISECONDS.sleep(upTo(LONGEST_WAIT_MILLIS));
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return super.getConnection();
        }
    }
}
