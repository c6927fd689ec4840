package io.fencedlease.chaos;

import io.fencedlease.faults.Postgres;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The database as witness: it numbers each accepted write, and each raise of a mark, in one sequence, inside the
 * transaction that makes it.
 */
final class Judge {

    private static final String TABLES = "io/fencedlease/fence/sql/tables-postgresql.sql";

    private static final String EVENTS = """
            CREATE TABLE chaos_event (
                id      BIGSERIAL PRIMARY KEY,
                kind    VARCHAR(10) NOT NULL,
                lease   VARCHAR(128) NOT NULL,
                token   BIGINT NOT NULL,
                nonce   VARCHAR(128) NOT NULL,
                node    VARCHAR(20) NOT NULL,
                attempt VARCHAR(40) NOT NULL,
                at      TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp())
            """;

    private static final String RAISES = """
            CREATE FUNCTION chaos_raised() RETURNS TRIGGER AS $$
            BEGIN
                INSERT INTO chaos_event(kind, lease, token, nonce, node, attempt)
                VALUES ('RAISE', NEW.lease, NEW.token, NEW.nonce, '', '');
                RETURN NULL;
            END $$ LANGUAGE plpgsql
            """;

    private static final String TRIGGER = """
            CREATE TRIGGER chaos_raised AFTER UPDATE ON fencedlease_fence FOR EACH ROW
            WHEN (OLD.token IS DISTINCT FROM NEW.token) EXECUTE FUNCTION chaos_raised()
            """;

    private static final String STALE = """
            SELECT count(*) FROM chaos_event late WHERE kind = 'WRITE' AND EXISTS (
                SELECT 1 FROM chaos_event WHERE lease = late.lease AND id < late.id AND token > late.token)
            """;

    /**
     * One thing that was committed, or published.
     *
     * @param resource {@link ChaosSink#DATABASE} or {@link ChaosSink#FILES}
     * @param order the resource's own
     * @param node who wrote; empty for a raise, as is the attempt
     * @param from the earliest moment it may have happened, by the clock of the nodes' journals
     * @param nanos the latest
     */
    record Fact(
            String resource,
            long order,
            boolean raise,
            String lease,
            long token,
            String nonce,
            String node,
            String attempt,
            long from,
            long nanos) {}

    /** A node, and its token. */
    record Writer(String node, long token) {}

    /** Both clocks of this machine at one moment. */
    private record Clocks(long wallMicros, long nanos) {

        static Clocks now() {
            long before = System.nanoTime();
            long wall = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            return new Clocks(wall, before + (System.nanoTime() - before) / 2);
        }

        /** A moment of the wall clock, though it may be slewed between this and the other. */
        long nanos(long wall, Clocks other) {
            double rate = (double) (other.nanos - nanos) / (other.wallMicros - wallMicros);
            return nanos + (long) ((wall - wallMicros) * rate);
        }
    }

    private final PGSimpleDataSource database = Postgres.freshDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final Clocks began = Clocks.now();

    Judge() {
        DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(new ClassPathResource(TABLES)), database);
        jdbc.execute(EVENTS);
        jdbc.execute(RAISES);
        jdbc.execute(TRIGGER);
    }

    /** For a node, through another port. */
    String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database.getDatabaseName();
    }

    /** The number of the last write that was accepted, for each lease. */
    Map<String, Long> lastWrites() {
        Map<String, Long> last = new HashMap<>();
        jdbc.query("SELECT lease, max(id) FROM chaos_event WHERE kind = 'WRITE' GROUP BY lease", row -> {
            last.put(row.getString(1), row.getLong(2));
        });
        return last;
    }

    /** The tenure with the highest token that has written under this lease. */
    Optional<Writer> lastWriter(String lease) {
        return jdbc
                .query(
                        "SELECT node, token FROM chaos_event WHERE kind = 'WRITE' AND lease = ?"
                                + " ORDER BY token DESC LIMIT 1",
                        (row, n) -> new Writer(row.getString(1), row.getLong(2)),
                        lease)
                .stream()
                .findFirst();
    }

    /** How many writes were accepted below a higher token. */
    long staleWrites() {
        return Objects.requireNonNull(jdbc.queryForObject(STALE, Long.class));
    }

    /** Everything, in order; so are its moments. */
    List<Fact> facts() {
        Clocks now = Clocks.now();
        AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        return jdbc.query(
                "SELECT id, kind, lease, token, nonce, node, attempt,"
                        + " CAST(extract(epoch FROM at) * 1000000 AS BIGINT) FROM chaos_event ORDER BY id",
                (row, n) -> {
                    long told = began.nanos(row.getLong(8), now);
                    long at = last.updateAndGet(before -> Math.max(before + 1, told));
                    return new Fact(
                            ChaosSink.DATABASE,
                            row.getLong(1),
                            row.getString(2).equals("RAISE"),
                            row.getString(3),
                            row.getLong(4),
                            row.getString(5),
                            row.getString(6),
                            row.getString(7),
                            at,
                            at);
                });
    }
}
